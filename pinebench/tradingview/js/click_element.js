// Find the first visible element that matches, and click it or return its place. A disabled element is not clicked.
function ({ by, value, press }) {
  const buttons = 'button, a, [role="button"], [role="menuitem"], [role="tab"], [role="option"]';
  const text = (node) => this.undouble(this.squeeze(node.textContent)).toLowerCase();
  const wanted = value.toLowerCase();
  const ways = {
    "aria-label": () => [...document.querySelectorAll("[aria-label]")].filter((node) => node.getAttribute("aria-label") === value),
    "data-name": () => [...document.querySelectorAll("[data-name]")].filter((node) => node.getAttribute("data-name") === value),
    text: () => [...document.querySelectorAll(buttons)].filter((node) => text(node) === wanted),
    "class-contains": () => [...document.querySelectorAll("[class]")].filter((node) => String(node.getAttribute("class")).includes(value)),
    selector: () => [...document.querySelectorAll(value)],
  };
  const all = ways[by]();
  const node = all.find((one) => this.visible(one)) || null;
  if (node === null) return { found: false, hidden: all.length, disabled: false, count: 0, x: 0, y: 0, element: null };
  node.scrollIntoView({ block: "nearest" });
  const box = node.getBoundingClientRect();
  const disabled = !this.enabled(node);
  if (press && !disabled) this.press(node);
  return {
    found: true,
    hidden: 0,
    disabled,
    count: all.filter((one) => this.visible(one)).length,
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    element: {
      tag: node.tagName.toLowerCase(),
      text: this.squeeze(node.textContent).slice(0, 80),
      aria_label: node.getAttribute("aria-label"),
      data_name: node.getAttribute("data-name"),
    },
  };
}
