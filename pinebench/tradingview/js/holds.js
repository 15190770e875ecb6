// Wait until the editor holds `text`, at most `limit` milliseconds; whether it does.
async function ({ text, limit }) {
  const wanted = this.plain(text);
  const holds = await this.until(() => {
    const find = this.pick();
    return find !== null && this.plain(this.text(find) || "") === wanted;
  }, limit);
  return { holds: holds === true };
}
