// The saved scripts of whoever is logged in.
function ({ limit }) {
  return this.request("pineFacadeApi", "/list/?filter=saved", {}, limit);
}
