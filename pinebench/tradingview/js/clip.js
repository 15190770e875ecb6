// The box of a part of the page, in CSS pixels; null where it is not on the screen.
async function ({ keys }) {
  const paint = new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  await this.within(paint, 500);
  for (const key of keys) {
    const boxes = this.all(key).filter((node) => this.visible(node)).map((node) => node.getBoundingClientRect());
    if (boxes.length === 0) continue;
    const x = Math.min(...boxes.map((box) => box.left));
    const y = Math.min(...boxes.map((box) => box.top));
    const right = Math.max(...boxes.map((box) => box.right));
    const bottom = Math.max(...boxes.map((box) => box.bottom));
    return { x, y, width: right - x, height: bottom - y };
  }
  return null;
}
