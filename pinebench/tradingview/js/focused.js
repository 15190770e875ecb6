// The element that has the focus: whether it is a field for a secret, and its text if it has one.
function () {
  const node = document.activeElement;
  const field = node && typeof node.value === "string";
  const hint = field ? (String(node.type) + " " + String(node.autocomplete)).toLowerCase() : "";
  const secret = /password|one-time-code|cc-/.test(hint);
  return { secret, value: field && !secret ? node.value.slice(0, 20000) : null };
}
