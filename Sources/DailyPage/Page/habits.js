const forms = {
  any: "Anything is logged", atLeast: "At least …", atMost: "At most …", never: "Nothing is logged",
  levels: "Levels of drinks", other: "As it is",
};
const schedules = ["daily", "mon-fri", "mon,wed,fri", "3 times a week", "10 times a month", "every 3 days"];
const forgivenesses = ["strict", "grace 1", "grace 2", "jokers 7/3", "jokers 14/2"];

/** The labels of the form for what the service calls otherwise. */
const labels = {
  name: "Name", icon: "Icon", "at-least": "Amount", "at-most": "Amount", levels: "Levels", good: "Good levels",
  schedule: "How often", jokers: "What is forgiven", grace: "What is forgiven",
};

/** Returns a definition as the values of the form, in the words of `streaks define`. */
function formOf({ name, icon, rule, schedule, forgiveness }) {
  const isBounded = ["minutes", "sum"].includes(rule.kind) && (rule.atLeast === undefined || rule.atMost === undefined);
  const bound = rule.atLeast !== undefined ? "atLeast" : "atMost";
  const per = rule.per && rule.per !== "day" ? `/${rule.per}` : "";
  const range = ([from, to]) => (to === null ? `${from}-` : `${from}-${to}`);
  return {
    name, icon, kind: isBounded ? bound : { any: "any", none: "never", level: "levels" }[rule.kind] ?? "other",
    size: isBounded ? `${rule[bound]} ${unitOf(rule)}${per}` : undefined,
    levels: rule.levels && levelNames(rule.levels).map((level) => `${level}:${range(rule.levels[level])}`).join(","),
    good: rule.good?.join(","),
    schedule: scheduleWords(schedule),
    forgiveness: forgivenessOption({ forgiveness }),
  };
}

function forgivenessOption({ forgiveness: { kind, days, every, cap } = { kind: "none" } }) {
  return { none: "strict", grace: `grace ${days}`, joker: `jokers ${every}/${cap}` }[kind];
}

/** Returns what an option of the form forgives, such as `grace 1` or `jokers 7/3`. */
function forgivenessOf(option) {
  const [kind, count = ""] = option.split(" ");
  const [every, cap] = count.split("/");
  return { strict: { kind: "none" }, grace: { kind, days: Number(count) }, jokers: { kind: "joker", every, cap } }[kind];
}

/** Returns `week` or `month` if an amount such as `20 km/week` is of one. */
const unitOfAmount = (size = "") => /(?:\/| a | per )\s*(week|month)\s*$/i.exec(size)?.[1].toLowerCase();

/** Returns how often a habit is asked for, in the words of the form. */
const scheduleWords = (schedule) => schedule?.weekdays?.join(",") ?? (scheduleText(schedule) || "daily");

/** Returns the words of the form, such as `3 times a week`, as those of `streaks define`, such as `3/week`. */
function scheduleOf(words) {
  const day = /\b(mon|tue|wed|thu|fri|sat|sun)(?!th)[a-z]*/g;
  const plain = words.trim().toLowerCase().replace(/^once/, "1").replace(/^twice/, "2").replace(day, "$1");
  const days = plain.replace(/\s*(,\s*and |,| and )\s*/g, ",").replace(/^every (\d+) days?$/, "every:$1");
  return days.replace(/^(\d+) ?(x|times?)? ?(a |per |\/ ?)?(week|month)$/, "$1/$4").replace(/^every day$/, "daily");
}

/** Returns the values of the form as options of `streaks define`, in groups of which one is given. */
function optionsOf({ name, icon = "", kind, size = "", levels, good, schedule = "daily", forgiveness }) {
  // One number and one unit; more words are left to the service, which refuses them. It reads 1,500 as 1500.
  const point = size.trim().replace(/^(\d+),(\d\d?)(?!\d)/, "$1.$2");
  const number = point.replace(/^([\d.,]+)\s+/, "$1").replace(/\s*(?:\/| a | per )\s*(?=(week|month)$)/i, "/");
  const rules = {
    any: { any: true }, never: { never: true }, atLeast: { "at-least": number }, atMost: { "at-most": number },
    levels: { levels, good }, other: {},
  };
  const [word, count = true] = forgiveness.split(" ");
  const look = { name: { name }, icon: icon ? { icon } : { clear: "icon" } };
  const days = ["atLeast", "atMost"].includes(kind) && unitOfAmount(size) ? "daily" : scheduleOf(schedule);
  return { ...look, rule: rules[kind], schedule: { schedule: days }, forgiveness: { [word]: count } };
}

/** Returns the options that differ. */
function changedOptions(before, after) {
  const changed = Object.keys(after).filter((group) => JSON.stringify(before[group]) !== JSON.stringify(after[group]));
  return Object.assign({}, ...changed.map((group) => after[group]));
}

function habitFields(form, presets) {
  const kinds = Object.entries(forms).filter(([kind]) => kind !== "other" || form.kind === "other");
  const forgiven = [...new Set([form.forgiveness, ...forgivenesses])].map((option) => [option, option]);
  const there = (one) => (ledger.habit(one.habit) ? " (a second one)" : "");
  const text = (one) => `${presetChoice(one, presets)}, ${presetRule(one)}${there(one)}`;
  const begin = [["", "My own words"], ...presets.map((one) => [one.habit, text(one)])];
  return [
    ...(presets.length > 0 ? [{ name: "preset", label: "Begin with", options: begin, value: form.preset }] : []),
    { name: "name", label: "Name", value: form.name, required: true, maxlength: 100 },
    { name: "icon", label: "Icon", value: form.icon, maxlength: 20 },
    { name: "kind", label: "A day is good if", options: kinds, value: form.kind },
    { name: "size", label: "Amount", value: form.size, hint: "20 pages, 30 min, 3 times, or 150 min/week" },
    { name: "levels", label: "Levels", value: form.levels, hint: "calm:0-1,some:2-4,much:5-" },
    { name: "good", label: "Good levels", value: form.good, hint: "calm" },
    { name: "schedule", label: "How often", value: form.schedule, list: schedules, hint: schedules.join(", ") },
    { name: "forgiveness", label: "What is forgiven", options: forgiven, value: form.forgiveness },
  ];
}

/** Shows the inputs that the chosen rule needs, and what can forgive its days, weeks or months. */
function showNeeded({ inputs }) {
  const { kind } = inputs;
  const needs = { size: ["atLeast", "atMost"], levels: ["levels"], good: ["levels"] };
  for (const [name, kinds] of Object.entries(needs)) {
    inputs[name].required = kinds.includes(kind.value);
    inputs[name].parentElement.hidden = !inputs[name].required;
  }
  const per = needs.size.includes(kind.value) ? unitOfAmount(inputs.size.value) : undefined;
  inputs.schedule.parentElement.hidden = per !== undefined;

  // Grace forgives nothing of a limit, so it isn't offered.
  const isLimited = ["atMost", "never"].includes(kind.value);
  for (const option of inputs.forgiveness.options) {
    option.hidden = option.disabled = isLimited && option.value.startsWith("grace");
    setText(option, capital(forgivenessText({ forgiveness: forgivenessOf(option.value), rule: { per } })));
  }
  if (inputs.forgiveness.selectedOptions[0].disabled) inputs.forgiveness.value = "strict";
}

/** Returns the presets; without a connection it says so, because definitions do not wait in this browser. */
async function presetsOnline() {
  const answer = await read("/v1/presets").catch(() => null);
  if (!answer) page.answer.show("Habits can be defined and changed only with a connection to the service.");
  return answer?.document;
}

/** Shows the form for a new habit, optionally filled in from a preset, or for changing an existing habit. */
async function askHabit(habit, preset) {
  const all = await presetsOnline();
  if (!all) return;
  const presets = habit ? [] : all;
  const base = habit ? ledger.definition(habit) : presets.find((one) => one.habit === preset);
  const empty = { kind: "any", schedule: "daily", forgiveness: "strict" };
  const start = base ? formOf(base) : empty;
  const shown = preset ? { ...start, name: base.name ?? nameFromId(preset), preset } : start;
  const isRetired = habit && ledger.habit(habit).status === "retired";
  const verb = habit ? (isRetired ? "Bring back" : "Change") : "Define";
  let isWarned = false;
  ask({
    title: habit ? `${verb} ${nameOf(habit)}` : "New habit",
    fields: habitFields(shown, presets),
    verb,
    onChange: (made) => {
      const chosen = made.inputs.preset?.value ?? "";
      if (chosen === (preset ?? "")) return showNeeded(made);
      document.querySelector("dialog").close();
      askHabit(undefined, chosen);
    },
    action: (values) => {
      const changed = changedOptions(base ? optionsOf(start) : {}, optionsOf(values));
      if (!base) delete changed.clear;
      const document = { habit: habit ?? freeId(values.name), ...(preset ? { preset } : {}), ...changed };
      const isSecond = !habit && !isWarned && ledger.state.habits.some(({ name }) => name === values.name);
      isWarned ||= isSecond;
      if (isSecond) throw new Problem(400, "There is a habit of this name. “Define” once more makes a second one.");
      return define(document, () => (habit ? changeText(habit, base, isRetired) : `${visible(values.name)} defined`));
    },
  });
}

/** Returns what a new definition changes, such as `Water: at least 2 l → at least 1.5 l, from today`. */
function changeText(habit, was, wasRetired) {
  const is = ledger.definition(habit);
  const fields = [({ name }) => visible(name ?? "no name"), ({ icon }) => icon ?? "no icon", ruleText, forgivenessText];
  const changes = fields.map((text) => [text(was), text(is)]).filter(([old, now]) => old !== now);
  const parts = [...(wasRetired ? ["no longer retired"] : []), ...changes.map((change) => change.join(" → "))];
  const amounts = ledger.entriesOf(habit, ledger.today).filter(({ amount }) => amount !== undefined);
  const isRenamed = was.rule.unit && is.rule.unit && was.rule.unit !== is.rule.unit && amounts.length > 0;
  if (isRenamed) parts.push(`what was logged in ${visible(was.rule.unit)} today now counts as ${visible(is.rule.unit)}`);
  const words = parts.join("; ") || "nothing changed";
  return `${visible(was.name ?? is.name ?? "")}: ${words}, from today`;
}

async function askRetire(habit) {
  if (!(await presetsOnline())) return;
  ask({
    title: `Retire ${nameOf(habit)}?`, text: "From tomorrow on it asks for nothing. Its history stays.",
    verb: "Retire", isDangerous: true,
    action: () => define({ habit, retire: true }, () => `${nameOf(habit)} retired from tomorrow on`),
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

/** Sends a definition, answered with `text()`; it is refused if the habit was changed elsewhere since the form was opened. */
async function define(document, text) {
  const before = ledger.snapshot;
  const seen = JSON.stringify(ledger.definition(document.habit));
  for (let attempt = 1; ; attempt += 1) {
    const answer = await read("/v1/definitions");
    ledger.definitions = answer.document.habits;
    const isChanged = JSON.stringify(ledger.definition(document.habit)) !== seen;
    if (isChanged) throw new Problem(412, "The habit was changed elsewhere. Close this, and look at it again.");
    try {
      const result = await post("/v1/definitions", document, { "If-Match": answer.tag, "Streaks-Ledger": ledger.id });
      const { results } = result.document;
      return page.answerTo(text, { event: results[0]?.id, count: results.length, before });
    } catch (problem) {
      const words = problem.message.replace(/^[a-z-]+(?= is )/, (name) => labels[name] ?? name);
      problem.message = words.replace(/it must be daily, .*/, `it must be such as ${schedules.join(", ")}`);
      // Another event was recorded in between.
      if (problem.status !== 412 || attempt === 5) throw problem;
    }
  }
}
