// Elements by a label, a text or a CSS selector, with their places.
function ({ strategy, query, most }) {
  const needle = query.toLowerCase();
  let nodes = [];
  if (strategy === "css") nodes = [...document.querySelectorAll(query)];
  else if (strategy === "aria-label") {
    nodes = [...document.querySelectorAll("[aria-label]")].filter((node) => node.getAttribute("aria-label").toLowerCase().includes(needle));
  } else {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const seen = new Set();
    while (walker.nextNode()) if (walker.currentNode.data.toLowerCase().includes(needle)) seen.add(walker.currentNode.parentElement);
    nodes = [...seen];
  }
  const plain = (node) => {
    const box = node.getBoundingClientRect();
    return {
      tag: node.tagName.toLowerCase(),
      text: this.squeeze(node.textContent).slice(0, 80),
      aria_label: node.getAttribute("aria-label"),
      data_name: node.getAttribute("data-name"),
      x: Math.round(box.x + box.width / 2),
      y: Math.round(box.y + box.height / 2),
      width: Math.round(box.width),
      height: Math.round(box.height),
      visible: this.visible(node),
    };
  };
  const found = nodes.map(plain).filter((one) => strategy === "css" || (one.width > 0 && one.height > 0));
  return { count: found.length, elements: found.slice(0, most) };
}
