// Show or hide a study.
async function ({ id, visible, limit }) {
  const study = this.study(id);
  study.setVisible(visible);
  await this.until(() => Boolean(study.isVisible()) === visible, limit);
  return { visible: Boolean(study.isVisible()) };
}
