// Wait until the editor holds another text than was written last, at most `limit` milliseconds; whose text it holds then.
async function ({ limit }) {
  await this.until(() => this.whose(this.pick()) !== "ours", limit);
  return { text: this.whose(this.pick()) };
}
