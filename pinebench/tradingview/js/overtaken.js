// Wait at most `limit` milliseconds until the editor holds another text than the one written last; return who wrote its text.
async function ({ limit }) {
  await this.until(() => this.whose(this.pick()) !== "ours", limit);
  return { text: this.whose(this.pick()) };
}
