// The middle of the chart on the screen, for the mouse.
function () {
  const node = this.all("chartCanvas").find((one) => this.visible(one));
  const box = node ? node.getBoundingClientRect() : { x: 0, y: 0, width: window.innerWidth, height: window.innerHeight };
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, mac: /mac/i.test(navigator.platform) };
}
