const forms = {
  any: "Anything is logged", atLeast: "At least …", atMost: "At most …", never: "Nothing is logged",
  levels: "Levels of drinks", other: "As it is",
};
const periods = { day: "A day", week: "A week", month: "A month" };
const forgivenesses = ["strict", "grace 1", "grace 2", "jokers 7/3", "jokers 14/2"];

/** How often a habit can be asked for. */
const frequencies = {
  daily: "Every day", weekdays: "On some weekdays", week: "Some times a week", month: "Some times a month",
  every: "Every few days",
};

/** The label of the number that belongs to a frequency, and its bounds. */
const counts = { week: ["Times a week", 1, 7], month: ["Times a month", 1, 28], every: ["Number of days", 2, 366] };

/** Returns a definition as the values of the form. */
function formOf({ name, icon, rule, schedule = {}, forgiveness }) {
  const isBounded = ["minutes", "sum"].includes(rule.kind) && (rule.atLeast === undefined || rule.atMost === undefined);
  const bound = rule.atLeast !== undefined ? "atLeast" : "atMost";
  const { weekdays, times, per, every } = schedule;
  const { levels, good } = rule;
  const row = (level) => ({ level, from: levels[level][0], to: levels[level][1], isGood: good.includes(level) });
  return {
    name, icon, kind: isBounded ? bound : { any: "any", none: "never", level: "levels" }[rule.kind] ?? "other",
    size: isBounded ? `${rule[bound]} ${unitOf(rule)}` : undefined, per: rule.per, lateBy: rule.lateBy,
    levels: levels && levelNames(levels).map(row),
    frequency: weekdays ? "weekdays" : every ? "every" : per ?? "daily", weekdays, count: times ?? every,
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

/** The end of an amount such as `20 km a week`, which is chosen beside it. */
const periodOfAmount = /\s*(?:\/| a | per )\s*(day|week|month)\s*$/i;

/** Returns how often a habit is asked for, in the words of `streaks define`, such as `3/week`. */
function scheduleOf({ frequency = "daily", weekdays = [], count }) {
  if (frequency === "weekdays" && weekdays.length === 0) throw new Problem(400, "Choose at least one weekday.");
  return { daily: "daily", weekdays: weekdays.join(), every: `every:${count}` }[frequency] ?? `${count}/${frequency}`;
}

function levelRule(rows, lateBy) {
  const levels = Object.fromEntries(rows.map(({ level, from, to }) => [level, [from, to]]));
  if (Object.keys(levels).length < rows.length) throw new Problem(400, "Two levels have the same name.");
  const good = rows.filter(({ isGood }) => isGood).map(({ level }) => level);
  if (good.length === 0) throw new Problem(400, "Choose at least one level that is good.");
  return { kind: "level", levels, good, lateBy };
}

/** Returns the values of the form as options of `streaks define`, in groups of which one is given. */
function optionsOf({ name, icon = "", kind, size = "", per = "day", levels, lateBy, forgiveness, ...often }) {
  // One number and one unit; more words are left to the service, which refuses them. It reads 1,500 as 1500.
  const amount = size.trim().replace(/^(\d+),(\d\d?)(?!\d)/, "$1.$2") + (per === "day" ? "" : `/${per}`);
  const rules = {
    any: { any: true }, never: { never: true },
    atLeast: { "at-least": amount, clear: ["at-most"] }, atMost: { "at-most": amount, clear: ["at-least"] },
  };
  const rule = kind === "levels" ? { rule: levelRule(levels, lateBy) } : rules[kind] ?? {};
  const [word, count = true] = forgiveness.split(" ");
  const isSum = ["atLeast", "atMost"].includes(kind) && per !== "day";
  return {
    name: { name }, icon: icon ? { icon } : { clear: ["icon"] }, rule,
    // Without a schedule the service keeps the week or month of an amount.
    schedule: { schedule: isSum ? "daily" : scheduleOf(often), isSum }, forgiveness: { [word]: count },
  };
}

/** Returns the options that differ. */
function changedOptions(before, after) {
  const changed = Object.keys(after).filter((group) => JSON.stringify(before[group]) !== JSON.stringify(after[group]));
  const { isSum, ...options } = Object.assign({}, ...changed.map((group) => after[group]));
  const clear = changed.flatMap((group) => after[group].clear ?? []);
  return { ...options, clear: clear.length > 0 ? clear : undefined };
}

function habitFields(form, presets, habit) {
  const kinds = Object.entries(forms).filter(([kind]) => kind !== "other" || form.kind === "other");
  const forgiven = [...new Set([form.forgiveness, ...forgivenesses])].map((option) => [option, option]);
  const there = (one) => (ledger.habit(one.habit) ? " (a second one)" : "");
  const text = (one) => `${presetChoice(one, presets)}, ${presetRule(one)}${there(one)}`;
  const begin = [["", "My own words"], ...presets.map((one) => [one.habit, text(one)])];
  const weekdays = [...weekdayIds.slice(1), "sun"].map((day) => [day, capital(day)]);
  return [
    ...(presets.length > 0 ? [{ name: "preset", label: "Begin with", options: begin, value: form.preset }] : []),
    { name: "name", label: "Name", value: form.name, required: !habit, placeholder: habit, maxlength: 100 },
    { name: "icon", label: "Icon", value: form.icon, maxlength: 20 },
    { name: "kind", label: "A day is good if", options: kinds, value: form.kind },
    { name: "size", label: "Amount", value: form.size, required: true, hint: "20 pages, 30 min, or 3 times" },
    { name: "per", label: "Added up over", options: Object.entries(periods), value: form.per },
    { name: "levels", rows: new LevelRows(form.levels) },
    { name: "frequency", label: "How often", options: Object.entries(frequencies), value: form.frequency },
    { name: "weekdays", label: "Weekdays", boxes: weekdays, value: form.weekdays },
    { name: "count", label: "Times", type: "number", value: form.count, required: true },
    { name: "forgiveness", label: "What is forgiven", options: forgiven, value: form.forgiveness },
  ];
}

/** Shows the inputs that the chosen rule needs, and what can forgive its days, weeks or months. */
function showNeeded({ inputs }, base) {
  const { kind, size, per, frequency, count, forgiveness } = inputs;
  const typed = periodOfAmount.exec(size.value)?.[1].toLowerCase();
  if (typed) {
    per.value = typed;
    size.value = size.value.replace(periodOfAmount, "");
  }
  const isBounded = ["atLeast", "atMost"].includes(kind.value);
  const isSum = isBounded && per.value !== "day";
  const [label, min, max] = counts[frequency.value] ?? [];
  const needs = {
    size: isBounded, per: isBounded, levels: kind.value === "levels", frequency: !isSum,
    weekdays: !isSum && frequency.value === "weekdays", count: !isSum && label,
  };
  for (const [name, isNeeded] of Object.entries(needs)) {
    inputs[name].disabled = inputs[name].closest(".field, fieldset").hidden = !isNeeded;
  }
  if (label) setText(count.previousElementSibling, label);
  Object.assign(count, { min, max });

  // Grace forgives nothing of a limit, which can't be of every few days, so neither is offered.
  const isLimited = ["atMost", "never"].includes(kind.value);
  for (const option of [...forgiveness.options, ...frequency.options]) {
    option.hidden = option.disabled = isLimited && /^(grace|every)/.test(option.value);
  }
  if (forgiveness.selectedOptions[0].disabled) forgiveness.value = "strict";
  if (frequency.selectedOptions[0].disabled) frequency.value = "daily";
  const rule = isSum ? { per: per.value } : {};
  for (const option of forgiveness.options) {
    const isKept = base && option.value === forgivenessOption(base);
    const forgiven = isKept ? base.forgiveness : forgivenessOf(option.value);
    setText(option, capital(forgivenessText({ forgiveness: forgiven, rule })));
  }
}

/** Shows the form for a new habit, optionally filled in from a preset, or for changing an existing habit. */
async function askHabit(habit, preset) {
  const answer = await read("/v1/presets").catch(() => null);
  // Definitions do not wait in this browser.
  if (!answer) return page.answer.show("Habits can be defined and changed only with a connection to the service.");
  const presets = habit ? [] : answer.document;
  const base = habit ? ledger.definition(habit) : presets.find((one) => one.habit === preset);
  const empty = { kind: "any", forgiveness: "strict" };
  const start = base ? formOf(base) : empty;
  const shown = preset ? { ...start, name: base.name ?? nameFromId(preset), preset } : start;
  const isRetired = habit && ledger.habit(habit).status === "retired";
  const verb = habit ? (isRetired ? "Bring back" : "Change") : "Define";
  let isWarned = false;
  ask({
    title: habit ? `${verb} ${nameOf(habit)}` : "New habit",
    fields: habitFields(shown, presets, habit),
    verb,
    onChange: (made) => {
      const chosen = made.inputs.preset?.value ?? "";
      if (chosen === (preset ?? "")) return showNeeded(made, base);
      document.querySelector("dialog").close();
      askHabit(undefined, chosen);
    },
    action: (values) => {
      const options = optionsOf({ ...values, lateBy: start.lateBy });
      const changed = changedOptions(base ? optionsOf(start) : {}, options);
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
  return `${visible(was.name ?? is.name ?? "")}: ${parts.join("; ") || "nothing changed"}, from today`;
}

function askRetire(habit) {
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
  let free = id;
  for (let number = 2; ledger.habit(free); number += 1) free = `${id}_${number}`;
  return free;
}

/** Sends a definition, answered with `text()`; it is refused if the habit was changed elsewhere since the form was opened. */
async function define(document, text, tries = 5) {
  const before = ledger.snapshot;
  const seen = JSON.stringify(ledger.definition(document.habit));
  const answer = await read("/v1/definitions");
  ledger.definitions = answer.document.habits;
  const isChanged = JSON.stringify(ledger.definition(document.habit)) !== seen;
  if (isChanged) throw new Problem(412, "The habit was changed elsewhere. Close this, and look at it again.");
  try {
    const result = await post("/v1/definitions", document, { "If-Match": answer.tag, "Streaks-Ledger": ledger.id });
    const { results } = result.document;
    return page.answerTo(text, { event: results[0]?.id, count: results.length, before });
  } catch (problem) {
    // Another event was recorded in between.
    if (problem.status === 412 && tries > 1) return define(document, text, tries - 1);
    // The service's reason has the names of options.
    problem.message = problem.message.replace(/^at-\w+(?= is )/, "Amount").replace(/, or schedule \S+ for days$/, "");
    throw problem;
  }
}
