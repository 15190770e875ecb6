// The visible range, once it is another than it was.
async function ({ before, limit }) {
  const now = () => {
    const range = this.chart().getVisibleRange();
    return range ? { from: range.from, to: range.to } : null;
  };
  await this.until(() => JSON.stringify(now()) !== JSON.stringify(before), limit);
  return { visible_range: now() };
}
