// Names of the account on the page: of the user, and of the saved layouts. Files for others must not hold them.
async function ({ limit }) {
  const user = window.user && typeof window.user === "object" ? window.user : {};
  const words = ["username", "id", "email", "first_name", "last_name", "session_hash", "auth_token"].map((name) => user[name]);
  const api = this.resolve("layoutManager");
  const charts = api === null ? null : await this.within(new Promise((resolve) => api(resolve)), limit);
  const listed = Array.isArray(charts) ? charts : [];
  const texts = (values) => values.filter((one) => one !== undefined && one !== null && one !== "").map(String);
  return { names: texts(words), layouts: texts(listed.flatMap((one) => [one.name || one.title, one.id || one.chartId])) };
}
