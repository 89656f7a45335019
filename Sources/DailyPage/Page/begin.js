const presetName = ({ name, habit }) => visible(name ?? nameFromId(habit));

/** Returns a preset as a choice with its icon; of two with one name, each also has its id. */
function presetChoice(preset, presets) {
  const name = distinctName(presetName(preset), preset.habit, presets.map(presetName));
  return `${preset.icon ?? ""} ${name}`.trim();
}

/** Returns the rule of a preset and what it forgives. */
const presetRule = (preset) => `${ruleText(preset)}${preset.forgiveness ? `; ${forgivenessText(preset)}` : ""}`;

/** Shows the first screen, for a folder without a ledger: zone, week start, presets, one button. */
async function showBegin() {
  const part = byId("begin");
  if (!part.hidden) return;
  part.hidden = false;
  document.querySelector("nav").hidden = true;
  const presets = await read("/v1/presets").then(({ document }) => document, () => []);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = Intl.supportedValuesOf?.("timeZone") ?? [zone];
  const firstDay = new Intl.Locale(navigator.language).getWeekInfo?.().firstDay ?? 1;
  const days = [["mon", "Monday"], ["sun", "Sunday"], ["sat", "Saturday"]];
  const choices = presets.map((one) => [one.habit, presetChoice(one, presets), presetRule(one)]);
  const opened = newId();
  const form = makeForm({
    fields: [
      { name: "zone", label: "Time zone", value: zone, required: true, list: zones },
      { name: "weekStart", label: "Weeks begin on", options: days, value: weekdayIds[firstDay % 7] },
      { name: "presets", label: "Habits to begin with", boxes: choices },
    ],
    verb: "Begin",
    action: (values) => begin(presets, opened, values),
  });
  part.append(form);
}

/** Records the first events. Sent again they have the same ids, so that they are recorded once. */
async function begin(presets, opened, { zone, weekStart, presets: chosen }) {
  // A composite needs its members.
  const members = presets.filter(({ habit }) => chosen.includes(habit)).flatMap(({ rule }) => rule.of ?? []);
  const wanted = presets.filter(({ habit }) => chosen.includes(habit) || members.includes(habit));
  const complete = (preset, index) => ({ id: `${opened}-${index + 1}`, name: nameFromId(preset.habit), ...preset });
  const habits = wanted.map(complete);
  await post("/v1/events", [{ id: opened, type: "ledger.opened", zone, weekStart }, ...habits], { "If-Match": '"0"' });
  await page.refresh();
  page.answer.show("Your ledger has begun.");
  byId("main").focus();
}
