/** Text from the log for people: nothing in it can change the direction of what is around it. */
const visible = (text) =>
  text?.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g,
    (c) => `\\u{${c.codePointAt(0).toString(16)}}`,
  );

const plural = (count, noun, nouns = `${noun}s`) => `${count} ${count === 1 ? noun : nouns}`;

const habitName = (ledger, habit) => visible(ledger.field(habit, "name") ?? data.habits[habit]);

/** The name of the habit with an id; the id where no habit has it. */
function nameOf(ledger, id) {
  const habit = data.habits.indexOf(id);
  return habit < 0 ? visible(id) : habitName(ledger, habit);
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** An achievement's key in words: `7 days of Mood`, `Streak master, silver`. */
function achievementWords(ledger, key) {
  const [, habit, days] = /^milestone:(.+):(\d+)$/.exec(key) ?? [];
  // If the rule sums up a week or a month, a run counts weeks or months.
  const unit = ledger.field(data.habits.indexOf(habit), "progress.per") ?? "day";
  if (days) return `${plural(Number(days), unit)} of ${nameOf(ledger, habit)}`;
  const words = key === "tri-threat" ? key : key.replace("-", " ").replace(":", ", ");
  return capital(visible(words));
}

/** The sign of a verdict, as in the calendar of a terminal. */
const signOf = (verdict) => data.signs[data.verdicts.indexOf(verdict)] ?? "";

/** A verdict with what else is worth knowing of the day: `healed by joker 2 (easy)`. */
function verdictWords(day) {
  if (!day) return "not counted";
  if (day.verdict === "open") return day.outcome === "good" ? "kept so far" : "open";
  const lot = day.lot ? ` by joker ${day.lot}` : "";
  const isQuietRest = day.verdict === "rest" && ["missed", "good"].includes(day.outcome);
  // The outcome of an excused day does not matter, and later entries of the same week may change it.
  const isPlain = day.outcome === day.verdict || isQuietRest || day.verdict === "excused";
  return day.verdict + lot + (isPlain ? "" : ` (${visible(day.outcome)})`);
}

/** What an event says, in words without ids. */
function eventWords(ledger, step) {
  if (step.entry === undefined) return step.says;
  const words = ["logged", habitName(ledger, step.entry), step.says].filter(Boolean).join(" ");
  return step.day === ledger.own.get("today") ? words : `${words} for ${dayText(step.day)}`;
}
