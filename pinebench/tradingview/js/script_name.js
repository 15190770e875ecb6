// The name of the script that the editor is bound to, as the panel shows it, or null.
function () {
  const node = this.all("scriptName").find((one) => this.visible(one));
  return { name: node ? this.undouble(this.squeeze(node.textContent)).slice(0, 200) : null };
}
