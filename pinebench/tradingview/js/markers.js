// The markers of the editor's text, or null where the page hides them.
function () {
  const find = this.pickOrThrow();
  const markers = this.markers(find);
  const place = (value, otherwise) => (Number.isInteger(value) && value > 0 ? value : otherwise);
  return markers === null ? null : markers.map((marker) => ({
    line: place(marker.startLineNumber, 1),
    column: place(marker.startColumn, 1),
    end_line: place(marker.endLineNumber, place(marker.startLineNumber, 1)),
    end_column: place(marker.endColumn, place(marker.startColumn, 1)),
    message: typeof marker.message === "string" && marker.message !== "" ? marker.message : "marked without a word why",
    severity: place(marker.severity, 2),
    code: marker.code && typeof marker.code === "object" ? String(marker.code.value) : marker.code ? String(marker.code) : null,
  }));
}
