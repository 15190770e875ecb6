// The saved scripts of the user who is logged in.
function ({ limit }) {
  return this.request("pineFacadeApi", "/list/?filter=saved", {}, limit);
}
