// Wait at most `limit` milliseconds until the editor holds `text`; return whether it does.
async function ({ text, limit }) {
  const wanted = this.plain(text);
  const holds = await this.until(() => {
    const find = this.pick();
    return find !== null && this.plain(this.text(find) || "") === wanted;
  }, limit);
  return { holds: holds === true };
}
