const forms = {
  any: "Once a day, anything counts", atLeast: "At least …", atMost: "At most …", never: "Never; a day without is good",
  levels: "Levels of drinks", other: "As it is",
};
const frequencies = { daily: "Every day", weekdays: "On weekdays", week: "Times a week", month: "Times a month", every: "Every … days" };
const forgivenesses = { strict: "Nothing", jokers: "Jokers", grace: "Grace" };

/** Returns a definition as the values of the form. */
function formOf({ name, icon, rule, schedule, forgiveness = { kind: "none" } }) {
  const isBounded = ["minutes", "sum"].includes(rule.kind) && (rule.atLeast === undefined || rule.atMost === undefined);
  const bound = rule.atLeast !== undefined ? "atLeast" : "atMost";
  const kind = isBounded ? bound : { any: "any", none: "never", level: "levels" }[rule.kind] ?? "other";
  const range = ([from, to]) => (to === null ? `${from}-` : `${from}-${to}`);
  return {
    name, icon, kind, amount: rule[bound], unit: isBounded ? unitOf(rule) : undefined, per: rule.per ?? "day",
    levels: Object.entries(rule.levels ?? {}).map(([level, drinks]) => `${level}:${range(drinks)}`).join(",") || undefined,
    good: rule.good?.join(","),
    often: schedule?.weekdays ? "weekdays" : schedule?.every ? "every" : schedule?.per ?? "daily",
    times: schedule?.times ?? schedule?.every, weekdays: schedule?.weekdays ?? [],
    forgives: { none: "strict", joker: "jokers", grace: "grace" }[forgiveness.kind],
    every: forgiveness.every, cap: forgiveness.cap, days: forgiveness.days,
  };
}

/** Returns the values of the form as options of `streaks define`. */
function optionsOf(form) {
  const size = `${form.amount ?? ""}${form.unit ?? ""}${form.per === "day" ? "" : `/${form.per}`}`;
  const rules = {
    any: { any: true }, never: { never: true }, atLeast: { "at-least": size }, atMost: { "at-most": size },
    levels: { levels: form.levels ?? "", good: form.good ?? "" }, other: {},
  };
  const schedules = {
    daily: "daily", weekdays: form.weekdays.join(","), week: `${form.times}/week`, month: `${form.times}/month`, every: `every:${form.times}`,
  };
  const forgiveness = { strict: { strict: true }, jokers: { jokers: `${form.every ?? 7}/${form.cap ?? 3}` }, grace: { grace: String(form.days ?? 1) } };
  return { name: form.name, icon: form.icon ?? "", ...rules[form.kind], schedule: schedules[form.often], ...forgiveness[form.forgives] };
}

/** Returns the options that differ; an icon that was removed is cleared. */
function changedOptions(before, after) {
  const groups = [["at-least", "at-most", "any", "never", "levels", "good"], ["strict", "jokers", "grace"], ["name"], ["icon"], ["schedule"]];
  const part = (options, names) => JSON.stringify(names.map((name) => options[name]));
  const changed = groups.filter((names) => part(before, names) !== part(after, names)).flat();
  const options = Object.fromEntries(changed.filter((name) => after[name]).map((name) => [name, after[name]]));
  return changed.includes("icon") && !after.icon ? { ...options, clear: "icon" } : options;
}

function habitFields(form, presets) {
  const choices = (texts) => Object.entries(texts).filter(([key]) => key !== "other" || form.kind === "other");
  const weekdayChoices = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((day) => [day, capital(day)]);
  const whole = { type: "number", min: 1, step: 1 };
  const preset = { name: "preset", label: "Begin with", options: [["", "My own words"], ...presets.map((one) => [one.habit, presetText(one)])], value: form.preset };
  return [
    ...(presets.length > 0 ? [preset] : []),
    { name: "name", label: "Name", value: form.name, required: true, maxlength: 100 },
    { name: "icon", label: "Icon", value: form.icon, maxlength: 20 },
    { name: "kind", label: "A day is good", options: choices(forms), value: form.kind },
    { name: "amount", label: "Amount", type: "number", min: 0, step: "any", value: form.amount },
    { name: "unit", label: "Unit", value: form.unit, list: ["min", "km", "pages", "times", "l", "cups", "drinks"], maxlength: 16 },
    { name: "per", label: "In", options: [["day", "a day"], ["week", "a week"], ["month", "a month"]], value: form.per },
    { name: "levels", label: "Levels", value: form.levels, hint: "calm:0-1,some:2-4,much:5-" },
    { name: "good", label: "Good levels", value: form.good, hint: "calm" },
    { name: "often", label: "How often", options: choices(frequencies), value: form.often },
    { name: "times", label: "How many", ...whole, value: form.times },
    { name: "weekdays", label: "Days", type: "days", days: weekdayChoices, value: form.weekdays },
    { name: "forgives", label: "A missed day is forgiven by", options: choices(forgivenesses), value: form.forgives },
    { name: "every", label: "A joker for every … good days", ...whole, min: 2, value: form.every ?? 7 },
    { name: "cap", label: "Jokers to hold at most", ...whole, value: form.cap ?? 3 },
    { name: "days", label: "Missed days in a row", ...whole, value: form.days ?? 1 },
  ];
}

/** Shows the inputs that the chosen rule, schedule and forgiveness need. */
function showNeeded({ inputs }) {
  const isBounded = ["atLeast", "atMost"].includes(inputs.kind.value);
  const isNumbered = ["week", "month", "every"].includes(inputs.often.value);
  const needs = {
    amount: isBounded, unit: isBounded, per: isBounded, levels: inputs.kind.value === "levels", good: inputs.kind.value === "levels",
    times: isNumbered, weekdays: inputs.often.value === "weekdays",
    every: inputs.forgives.value === "jokers", cap: inputs.forgives.value === "jokers", days: inputs.forgives.value === "grace",
  };
  for (const [name, isNeeded] of Object.entries(needs)) (inputs[name].closest(".field") ?? inputs[name]).hidden = !isNeeded;
  for (const name of ["amount", "levels", "good", "times"]) inputs[name].required = needs[name];
}

/** Asks for a new habit, or for the changes of one. */
async function askHabit(habit, preset) {
  const presets = habit ? [] : await read("/v1/presets").then(({ document }) => document, () => []);
  const base = habit ? ledger.definition(habit) : presets.find((one) => one.habit === preset);
  const empty = { kind: "any", per: "day", often: "daily", weekdays: [], forgives: "strict" };
  const name = preset && base && (base.name ?? nameFromId(base.habit));
  const start = base ? { ...formOf(base), ...(name ? { name, preset } : {}) } : empty;
  ask({
    title: habit ? `Change ${nameOf(habit)}` : "New habit",
    fields: habitFields(start, presets),
    verb: habit ? "Change" : "Define",
    onChange: (made) => {
      const chosen = made.inputs.preset?.value ?? preset ?? "";
      if (chosen === (preset ?? "")) return showNeeded(made);
      document.querySelector("dialog").close();
      askHabit(habit, chosen);
    },
    action: (values) => {
      const options = optionsOf({ weekdays: [], ...values });
      const before = base ? { ...optionsOf(start), ...(habit ? {} : { name: base.name, icon: base.icon ?? "" }) } : {};
      const document = { habit: habit ?? freeId(values.name), ...(preset && !habit ? { preset } : {}), ...changedOptions(before, options) };
      return define(document, `${visible(values.name)} ${habit ? "changed" : "defined"}`);
    },
  });
}

function askRetire(habit) {
  ask({
    title: `Retire ${nameOf(habit)}?`, text: "It asks for nothing any more. Its history stays.", verb: "Retire", isDangerous: true,
    action: () => define({ habit, retire: true }, `${nameOf(habit)} retired`),
  });
}

/** Returns an id for a name that no habit has, such as `read_a_book`. */
function freeId(name) {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll(/[^a-z0-9.-]+/g, "_");
  const id = plain.replace(/^[^a-z]+/, "").replace(/_+$/, "").slice(0, 50) || "habit";
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? id : `${id}_${number}`;
    if (!ledger.habit(free)) return free;
  }
}

/** Sends a definition; it is refused if the habit was changed elsewhere since the form was opened. */
async function define(document, text) {
  const seen = JSON.stringify(ledger.definition(document.habit));
  for (let attempt = 1; ; attempt += 1) {
    const answer = await read("/v1/definitions");
    ledger.definitions = answer.document.habits;
    const isChanged = JSON.stringify(ledger.definition(document.habit)) !== seen;
    if (isChanged) throw new Problem(412, "The habit was changed elsewhere. Close this, and look at it again.");
    try {
      const result = await post("/v1/definitions", document, { "If-Match": answer.tag, "Streaks-Ledger": ledger.id });
      return page.answerTo(text, result.document.results[0]?.id);
    } catch (problem) {
      // Another event was recorded in between.
      if (problem.status !== 412 || attempt === 5) throw problem;
    }
  }
}
