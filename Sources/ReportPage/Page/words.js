/** Returns a habit's name at this step. */
function habitName(ledger, habit) {
  const names = data.habits.map((_, one) => ledger.field(one, "name"));
  return distinctName(names[habit] ?? data.habits[habit], data.habits[habit], names);
}

/** Returns the name of the habit with an id, or the id if there is no such habit. */
function nameOf(ledger, id) {
  const habit = data.habits.indexOf(id);
  return habit < 0 ? visible(id) : habitName(ledger, habit);
}

/** Returns an achievement's key as text, such as `7 days of Mood` or `Streak master, silver`. */
function achievementWords(ledger, key) {
  const [, habit, days] = /^milestone:(.+):(\d+)$/.exec(key) ?? [];
  // With a weekly or monthly sum, a run counts weeks or months.
  const unit = ledger.field(data.habits.indexOf(habit), "progress.per") ?? "day";
  if (days) return `${plural(Number(days), unit)} of ${nameOf(ledger, habit)}`;
  const words = key === "tri-threat" ? key : key.replace("-", " ").replace(":", ", ");
  return capital(visible(words));
}

/** Returns the sign of a verdict, the same as in `streaks calendar`. */
const signOf = (verdict) => data.signs[data.verdicts.indexOf(verdict)] ?? "";

/** Returns a verdict with its joker and outcome, such as `healed by joker 2 (easy)`. */
function verdictWords(day) {
  if (!day) return "not counted";
  if (day.verdict === "open") return day.outcome === "good" ? "kept so far" : "open";
  const lot = day.lot ? ` by joker ${day.lot}` : "";
  const isQuietRest = day.verdict === "rest" && ["missed", "good"].includes(day.outcome);
  // The outcome of an excused day does not matter, and later entries of the same week may change it.
  const isPlain = day.outcome === day.verdict || isQuietRest || day.verdict === "excused";
  return day.verdict + lot + (isPlain ? "" : ` (${visible(day.outcome)})`);
}

/** Returns an event as text, without ids. */
function eventWords(ledger, step) {
  if (step.entry === undefined) return step.says;
  const words = ["logged", habitName(ledger, step.entry), step.says].filter(Boolean).join(" ");
  return step.day === ledger.own.get("today") ? words : `${words} for ${dayText(step.day)}`;
}
