/** The measures that an entry can have, with their units. */
const measureUnits = { minutes: "min", km: "km", sets: "sets", drinks: "drinks" };

/** Returns the field of an entry that a rule adds up, or nothing if it needs no number. */
function measureOf(rule) {
  if (rule.kind === "minutes") return "minutes";
  return rule.kind === "sum" && rule.of !== "entries" ? rule.of : undefined;
}

/** Returns what can be logged with one tap: buttons with a name and the fields of the entry. */
function choicesOf(habit, day) {
  const rule = ledger.definition(habit, day)?.rule ?? { kind: "all" };
  const measure = measureOf(rule);
  if (measure) return amountsOf(habit, day, rule, measure);

  switch (rule.kind) {
    case "any": case "sum": return [{ name: isLimit(rule) ? "Log" : "Done", fields: {} }];
    case "none": return [{ name: "Slip", fields: {}, look: "bad" }];
    // A failure isn't the same as nothing, which the day can still make good.
    case "completed": return [
      { name: "Done", fields: { completed: true } }, { name: "Failed", fields: { completed: false }, look: "bad" },
    ];
    case "level": return levelsOf(rule);
    case "activity": return lastActivities(habit);
    default: return [];
  }
}

/** Returns the levels, least drinks first: good ones are green, the others amber to red. */
function levelsOf({ levels, good }) {
  const names = levelNames(levels);
  const look = (name, place) => (good.includes(name) ? "good" : place === names.length - 1 ? "bad" : "healed");
  return names.map((name, place) => ({ name: visible(name), fields: { level: name }, look: look(name, place) }));
}

/** Returns what is missing to the goal, and the amounts that the person used last or more than once; at most three. */
function amountsOf(habit, day, rule, measure) {
  const used = ledger.recentEntries(habit).map((entry) => entry[measure]).filter((amount) => amount > 0);
  const isUsual = (amount, place) => place === 0 || used.indexOf(amount) !== used.lastIndexOf(amount);
  const missing = [missingOf(habit, day, rule, measure)].filter((amount) => amount > 0);
  const amounts = [...new Set([...missing, ...used.filter(isUsual)])].slice(0, 3);
  if (amounts.length === 0) amounts.push(rule.atLeast ?? 1);
  const name = (amount) => amountText(amount, visible(unitOf(rule)));
  return amounts.map((amount) => ({ name: name(amount), fields: { [measure]: amount } }));
}

/** Returns what a day misses to its goal; of a week or month only today, because the service adds those up. */
function missingOf(habit, day, rule, measure) {
  const isDone = day === ledger.today && ledger.habit(habit).card?.status === "done";
  if (!rule.atLeast || isDone) return 0;
  const sum = ledger.entriesOf(habit, day).reduce((total, entry) => total + (entry[measure] ?? 0), 0);
  const today = ledger.habit(habit).progress?.total;
  const total = (rule.per ?? "day") === "day" ? sum : day === ledger.today ? today ?? 0 : rule.atLeast;
  return Math.max(0, Math.round((rule.atLeast - total) * 1000) / 1000);
}

function lastActivities(habit) {
  const entries = ledger.recentEntries(habit).filter(({ minutes, km, sets }) => minutes || km || sets);
  const texts = entries.map((entry) => JSON.stringify(entry, ["activity", "minutes", "km", "sets"]));
  return [...new Set(texts)].slice(0, 2).map((text) => JSON.parse(text))
    .map((fields) => ({ name: entryText({ ...fields, habit, day: ledger.today }), fields }));
}

/** Returns the inputs for everything that the buttons don't have: a number in the habit's unit, or an activity. */
function inputsOf(habit, day, values = {}) {
  const rule = ledger.definition(habit, day)?.rule ?? {};
  const number = (name, label) => ({ name, label, type: "number", min: 0, step: "any", value: values[name] });
  const measure = measureOf(rule);
  if (measure) return [{ ...number(measure, visible(unitOf(rule))), required: true }];
  if (rule.kind !== "activity") return [];

  const names = Object.keys(rule.thresholds).filter((name) => name !== "*").map(activityName);
  const last = ledger.recentEntries(habit).find((entry) => entry.activity)?.activity;
  const value = activityName(values.activity ?? last ?? "");
  const activity = { name: "activity", label: "Activity", value, required: true, autocapitalize: "none" };
  const options = [["", "Activity"], ...names.map((name) => [name, name])];
  const choice = rule.thresholds["*"] ? { list: names, placeholder: "Activity" } : { options };
  const asked = Object.values(rule.thresholds).flatMap(Object.keys);
  const measures = ["minutes", "km", "sets"].filter((name) => asked.includes(name) || values[name] !== undefined);
  return [{ ...activity, ...choice }, ...measures.map((name) => number(name, measureUnits[name]))];
}

/** Returns the fields of an entry with its activity as the rule or an earlier entry writes it, whatever its capitals and spaces. */
function withActivity(habit, day, fields) {
  const { thresholds = {} } = ledger.definition(habit, day)?.rule ?? {};
  const plain = (name = "") => activityName(name).toLowerCase();
  const logged = ledger.recentEntries(habit).map((entry) => entry.activity);
  const activity = [...Object.keys(thresholds), ...logged].find((name) => plain(name) === plain(fields.activity));
  return activity ? { ...fields, activity } : fields;
}
