// Save a text in the script service: as the next version of the script `id`, or as a new script called `name`. A studio also checks
// that `base` is the newest version; TradingView's service does not know such a check.
function ({ id, name, source, base, limit }) {
  const query = new URLSearchParams(id === null ? { name, allow_overwrite: "false" } : { allow_create_new: "false" });
  if (id !== null && this.table.studio) query.set("base", base);
  const path = id === null ? "/save/new" : "/save/next/" + encodeURIComponent(id);
  const body = new URLSearchParams({ source });
  return this.request("pineFacadeApi", path + "?" + query, { method: "POST", body }, limit);
}
