const presetText = (preset) => `${preset.icon ?? ""} ${visible(preset.name ?? nameFromId(preset.habit))}, ${ruleText(preset)}`.trim();

/** The first screen, for a folder without a ledger: zone, week start, presets, one button. */
class Begin {
  async show() {
    byId("begin").hidden = false;
    if (this.isShown) return;
    this.isShown = true;
    const { document: presets } = await read("/v1/presets");
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const firstDay = new Intl.Locale(navigator.language).getWeekInfo?.().firstDay ?? 1;
    const days = [["mon", "Monday"], ["sun", "Sunday"], ["sat", "Saturday"]];
    const fields = makeFields([
      { name: "zone", label: "Time zone", value: zone, required: true, list: Intl.supportedValuesOf?.("timeZone") ?? [zone] },
      { name: "weekStart", label: "Weeks begin on", options: days, value: weekdayIds[firstDay % 7] },
      { name: "presets", label: "Habits to begin with", type: "days", days: presets.map((one) => [one.habit, presetText(one)]) },
    ], "begin");
    byId("begin-fields").replaceChildren(...fields.elements);
    const opened = newId();
    byId("begin-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.send(presets, { opened, ...fields.values() });
    });
  }

  /** Records the first events. Sent again they have the same ids, so that they are recorded once. */
  async send(presets, { opened, zone, weekStart, presets: chosen }) {
    const members = presets.filter(({ habit }) => chosen.includes(habit)).flatMap(({ rule }) => (Array.isArray(rule.of) ? rule.of : []));
    const wanted = presets.filter(({ habit }) => chosen.includes(habit) || members.includes(habit));
    const habits = wanted.map((preset, index) => ({ id: `${opened}-${index + 1}`, name: nameFromId(preset.habit), ...preset }));
    try {
      await post("/v1/events", [{ id: opened, type: "ledger.opened", zone, weekStart }, ...habits], { "If-Match": '"0"' });
      byId("begin").hidden = true;
      await page.refresh();
      page.answer.show("Your ledger has begun.");
      byId("main").focus();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      setText(byId("begin-problem"), problem.message);
    }
  }
}
