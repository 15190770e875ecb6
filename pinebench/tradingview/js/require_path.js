// Throw unless the object that the table names `key` is there.
function ({ key }) {
  this.require(key);
  return true;
}
