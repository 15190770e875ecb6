// The entries of the table that are on the page, whether somebody is logged in, and the open dialogs.
function () {
  const paths = {};
  for (const key of Object.keys(this.table.paths)) {
    const value = this.resolve(key);
    paths[key] = { present: value !== null, methods: value !== null && typeof value === "object" ? this.methods(value) : [] };
  }
  const selectors = {};
  for (const key of Object.keys(this.table.selectors)) {
    const nodes = this.all(key);
    const counts = this.table.selectors[key].map((css) => [css, document.querySelectorAll(css).length]);
    const by = Object.fromEntries(counts.filter(([, count]) => count > 0));
    selectors[key] = { count: nodes.length, visible: nodes.filter(this.visible).length, by };
  }
  const user = window.user && typeof window.user === "object" ? window.user : {};
  const known = typeof window.is_authenticated === "boolean";
  return {
    url: location.href.split("?")[0],
    title: document.title,
    visibility: document.visibilityState,
    language: document.documentElement.lang || navigator.language,
    logged_in: known ? window.is_authenticated : typeof user.username === "string" && user.username !== "" ? true : null,
    paths,
    selectors,
    dialogs: this.dialogs().map(this.describeDialog),
  };
}
