// Which editor would be used, how it was reached and how deep it lies; or why there is none.
function () {
  const { found, containers } = this.findEditors();
  const best = found.find((find) => find.visible) || null;
  const report = {
    containers: containers.length,
    visible_containers: containers.filter((node) => this.visible(node)).length,
    editors: new Set(found.map((find) => find.editor)).size,
    page_api: this.resolve("pineEditorApi") !== null,
    open: best !== null,
  };
  if (best === null) return report;
  return { ...report, strategy: best.strategy, key: best.key, parents: best.parents, steps: best.steps, read_only: this.readOnly(best) };
}
