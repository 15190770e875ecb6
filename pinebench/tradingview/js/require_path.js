// Throw an error if the object with the name `key` in the table is missing.
function ({ key }) {
  this.require(key);
  return true;
}
