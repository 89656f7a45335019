/** Returns a number with its unit, such as `20 pages` or `1 page`, in the words of `streaks`. */
function amountText(number, unit = "") {
  const isPlural = unit.length > 3 && /^[^A-Z].*[^isu]s$/s.test(unit);
  if (number !== 1 || !isPlural) return `${number} ${unit}`.trim();
  // Glasses, boxes and batches lose two letters.
  return `1 ${unit.slice(0, /(ss|x|ch|sh|z)es$/.test(unit) ? -2 : -1)}`;
}

/** Returns an id as a name, such as `Morning ritual` of `morning_ritual`. */
const nameFromId = (id) => capital(id.replaceAll(/[_-]/g, " "));

/** Returns the name of the habit with an id. */
function nameOf(id) {
  const names = ledger.state.habits.map(({ name }) => name);
  return distinctName(ledger.habit(id)?.name ?? id, id, names);
}

/** The signs of verdicts, the same as in `streaks calendar`, but for a good day. */
const signs = {
  good: "✓", healed: "★", graced: "◐", missed: "○", bad: "✗", restarted: "↻", open: "?", excused: "–", rest: "·",
};
const signOf = (verdict) => signs[verdict] ?? "";

const unitNames = { minutes: "min", km: "km", sets: "sets", drinks: "drinks", entries: "times" };

/** Returns the unit in which a rule measures a day, or nothing if it does not measure. */
function unitOf(rule) {
  if (rule.kind === "minutes") return "min";
  return rule.kind === "sum" ? rule.unit ?? unitNames[rule.of] ?? "" : undefined;
}

/** Returns the content of an entry, such as `20 pages`, `steady` or `running 30 min 5 km`. */
function entryText(entry) {
  const rule = ledger.definition(entry.habit, entry.day)?.rule ?? {};
  const number = (name, unit) => (entry[name] === undefined ? [] : [amountText(entry[name], unit)]);
  const measures = Object.keys(unitNames).flatMap((name) => number(name, unitNames[name]));
  const completed = { true: ["Done"], false: ["Failed"] }[entry.completed] ?? [];
  const texts = [entry.activity && activityName(entry.activity), entry.level, entry.value].filter(Boolean).map(visible);
  const parts = [...texts, ...number("amount", visible(unitOf(rule) ?? "")), ...measures, ...completed];
  return parts.join(" ") || (rule.kind === "none" ? "Slip" : isLimit(rule) ? "Logged" : "Done");
}

const noteText = (entry) => (entry.note ? ` “${visible(entry.note)}”` : "");

/** Returns what a definition asks for, such as `at least 20 pages, 3 times a week`. */
function ruleText({ rule, schedule }) {
  const unit = visible(unitOf(rule) ?? "");
  const per = rule.per && rule.per !== "day" ? ` a ${rule.per}` : "";
  const bound = (words, number) => (number === undefined ? [] : [`${words} ${amountText(number, unit)}`]);
  const bounds = [...bound("at least", rule.atLeast), ...bound("at most", rule.atMost)].join(", ");
  const range = ([from, to]) => (to === null ? `${from}+` : from === to ? from : `${from}–${to}`);
  const rangeOf = (name) => `${visible(name)} ${range(rule.levels[name])}`;
  const names = (ids) => ids.map((id) => visible(ledger?.habit(id)?.name ?? nameFromId(id)));
  const text = {
    any: () => "once", none: () => "never", completed: () => "completed",
    minutes: () => bounds, sum: () => bounds + per,
    level: () => `${rule.good.map(visible).join(" or ")} is good (${levelNames(rule.levels).map(rangeOf).join(", ")})`,
    activity: () => Object.entries(rule.thresholds).map(thresholdText).join("; "),
    all: () => `all of: ${names(rule.of).join(", ")}`, either: () => `one of: ${names(rule.of).join(", ")}`,
  }[rule.kind]?.() ?? rule.kind;
  const late = rule.lateBy === undefined ? "" : `logged at most ${plural(rule.lateBy, "day")} late`;
  return [text, scheduleText(schedule), late].filter(Boolean).join(", ");
}

/** Returns an activity as words, such as `functional strength`. */
const activityName = (activity) => visible(activity).replaceAll("_", " ");

/** Returns what an activity asks for, such as `running 10 min or 1 km`. */
function thresholdText([name, least]) {
  const measures = Object.entries(least).map(([measure, number]) => `${number} ${measureUnits[measure]}`);
  return `${name === "*" ? "any other" : activityName(name)} ${measures.join(" or ") || "never"}`;
}

/** Returns the names of levels, least drinks first. */
const levelNames = (levels) => Object.keys(levels).sort((a, b) => levels[a][0] - levels[b][0]);

/** True for a rule of which days without an entry are good. */
const isLimit = (rule) => rule.kind === "none" || (rule.atMost !== undefined && rule.atLeast === undefined);

/** Returns what forgives a day, week or month that is not good, such as `one missed day in a row is allowed`. */
function forgivenessText({ forgiveness = { kind: "none" }, streak, rule }) {
  const { kind, days, every, cap, heals, penalty = {} } = forgiveness;
  const unit = rule.per ?? "day";
  if (streak === false) return "it counts no streak";
  // Grace covers what is missed, and a limit is never missed.
  if (kind === "none" || (kind === "grace" && isLimit(rule))) return "nothing is forgiven";
  if (kind === "grace") return days === 1 ? `one missed ${unit} in a row is allowed` : `${days} missed ${unit}s in a row are allowed`;

  const costs = Object.entries(penalty).map(([outcome, count]) => `; ${visible(outcome)} costs ${plural(count, "joker")}`);
  const saved = heals ? `; it saves a ${unit} that is ${heals.map(visible).join(" or ")}` : "";
  return `a joker (★) per ${every} good ${unit}s, at most ${cap}${saved}${costs.join("")}`;
}

function scheduleText(schedule) {
  if (schedule?.weekdays) return `on ${schedule.weekdays.map(capital).join(", ")}`;
  if (schedule?.every) return `every ${schedule.every} days`;
  if (!schedule?.times) return "";
  return schedule.times === 1 ? `once a ${schedule.per}` : `${schedule.times} times a ${schedule.per}`;
}

/** Returns an achievement's or a celebration's key as text, such as `7 days of Mood`. */
function occasionText(key) {
  const [kind, day, dayOfHabit] = key.split(":");
  if (kind === "completed") return `Done ${dayText(dayOfHabit)}`;
  if (kind === "perfect-day") return `A perfect day: ${dayText(day)}`;
  if (kind === "achievement") return occasionText(key.slice(kind.length + 1));
  return achievementText(key, nameOf, (id) => ledger.habit(id)?.progress?.per);
}
