// The state of a study's computation as soon as it has computed, or after `limit` milliseconds, and the words of its error.
async function ({ id, limit }) {
  const find = () => this.sourceOf(id);
  await this.until(() => this.stands(find()) !== "loading", limit);
  return { state: this.stands(find()), failure: this.failure(find()) };
}
