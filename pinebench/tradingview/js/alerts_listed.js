// Wait until the page itself lists the alerts `there` and does not list the alerts `gone`; null if the page cannot tell.
async function ({ there, gone, limit }) {
  const service = this.resolve("alertService");
  if (service === null || typeof service.getAlerts !== "function") return { listed: null };
  const end = performance.now() + limit;
  for (;;) {
    const asked = Promise.resolve()
      .then(() => service.getAlerts())
      .catch(() => null);
    const alerts = await this.within(asked, Math.max(50, end - performance.now()));
    if (!Array.isArray(alerts) || !alerts.every((alert) => alert && typeof alert.alert_id === "number")) return { listed: null };
    const ids = alerts.map((alert) => alert.alert_id);
    if (there.every((id) => ids.includes(id)) && !gone.some((id) => ids.includes(id))) return { listed: true };
    if (performance.now() >= end) return { listed: false };
    await this.within(new Promise(() => undefined), 25);
  }
}
