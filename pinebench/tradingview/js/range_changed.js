// The visible range, as soon as it differs from the previous one.
async function ({ before, limit }) {
  const now = () => {
    const range = this.chart().getVisibleRange();
    return range ? { from: range.from, to: range.to } : null;
  };
  await this.until(() => JSON.stringify(now()) !== JSON.stringify(before), limit);
  return { visible_range: now() };
}
