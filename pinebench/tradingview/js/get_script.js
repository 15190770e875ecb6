// The source of one saved script.
function ({ id, version, limit }) {
  const path = "/get/" + encodeURIComponent(id) + "/" + encodeURIComponent(version);
  return this.request("pineFacadeApi", path, {}, limit);
}
