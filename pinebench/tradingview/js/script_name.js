// The name of the script that the editor is bound to, as its panel shows it, or null; `names` are names of saved scripts.
function ({ names }) {
  return { name: this.scriptName(names) };
}
