// The box of a part of the page, in CSS pixels; null if it is not on the screen.
async function ({ keys }) {
  const paint = new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  await this.within(paint, 500);
  for (const key of keys) {
    const nodes = this.all(key).filter((node) => this.visible(node));
    if (nodes.length === 0) continue;
    // The last selector matches most, for example every canvas. It is used only if the other selectors find nothing.
    const selectors = this.table.selectors[key].slice(0, -1);
    const named = nodes.filter((node) => selectors.some((css) => node.matches(css)));
    const boxes = (named.length > 0 ? named : nodes).map((node) => node.getBoundingClientRect());
    const x = Math.min(...boxes.map((box) => box.left));
    const y = Math.min(...boxes.map((box) => box.top));
    const right = Math.max(...boxes.map((box) => box.right));
    const bottom = Math.max(...boxes.map((box) => box.bottom));
    return { x, y, width: right - x, height: bottom - y };
  }
  return null;
}
