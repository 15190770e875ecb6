// The symbols of the watchlist with the values of its rows. A closed panel is opened first, if that is wanted.
async function ({ open, limit }) {
  const rows = () => this.all("watchRow");
  let opened = false;
  if (rows().length === 0 && open) {
    const button = this.all("watchlistButton").find((node) => this.visible(node));
    if (button && button.getAttribute("aria-pressed") !== "true") {
      this.press(button);
      opened = true;
    }
    await this.until(() => rows().length > 0 || this.all("watchlistPanel").length > 0, limit);
  }
  const cellsOf = (node) => [...(node.closest('[class*="row"]') || node).querySelectorAll('[class*="cell"], [class*="column"]')];
  const mark = this.decimalMark(rows().flatMap(cellsOf).map((cell) => cell.textContent));
  const symbols = [];
  const seen = new Set();
  let section = null;
  const marked = [...document.querySelectorAll('[data-symbol-full], [class*="separator"][data-name="watchlist-section"]')];
  for (const node of marked) {
    const symbol = node.getAttribute("data-symbol-full");
    if (symbol === null) {
      section = this.squeeze(node.textContent);
      continue;
    }
    if (seen.has(symbol)) continue;
    seen.add(symbol);
    // A person chooses the columns: the change is the number between the price and the percentage; others follow.
    const cells = cellsOf(node).map(({ textContent: text }) => ({ text, value: this.numberIn(text, mark), share: text.includes("%") }));
    const numbers = cells.filter(({ text, value }) => value !== null || /^\s*[-–—∅]\s*$/.test(text));
    const place = numbers.findIndex(({ share }) => share);
    const [last, change] = numbers.slice(0, Math.max(place, 1)).filter(({ share }) => !share).map(({ value }) => value);
    const percent = place < 0 ? null : numbers[place].value;
    symbols.push({ symbol, last: last ?? null, change: change ?? null, change_percent: percent, section });
  }
  const panel = this.all("watchlistPanel").some((node) => this.visible(node)) || symbols.length > 0;
  return { evidence: this.pageEvidence(), panel, opened, symbols };
}
