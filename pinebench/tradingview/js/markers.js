// The markers of the editor's text, or null where the page hides them.
function () {
  const find = this.pickOrThrow();
  const markers = this.markers(find);
  return markers === null ? null : markers.map((marker) => ({
    line: marker.startLineNumber,
    column: marker.startColumn,
    end_line: marker.endLineNumber,
    end_column: marker.endColumn,
    message: String(marker.message),
    severity: marker.severity,
    code: marker.code && typeof marker.code === "object" ? String(marker.code.value) : marker.code ? String(marker.code) : null,
  }));
}
