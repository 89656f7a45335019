/** Returns the visible changes of the last step, one `{ habit, phrases, brief, spans }` for each habit. */
function habitChanges(ledger) {
  const changed = new Map();
  for (const [map, ...change] of ledger.changes) listIn(changed, map).push(change);
  const before = (map) => new Map(changed.get(map));
  return ledger.habits.flatMap((habit) => {
    const spans = verdictSpans(ledger, habit, before(ledger.days[habit]));
    const fields = fieldPhrases(ledger, habit, before(ledger.fields[habit]));
    if (fields.length + spans.length === 0) return [];
    const told = fields[0] === isDefined ? [] : merged(spans);
    const [phrases, brief] = [daysPhrase, briefDaysPhrase].map((phrase) => [...fields, ...told.map(phrase)]);
    return [{ habit, phrases, brief, spans }];
  });
}

/** Returns the changes of experience points and achievements. */
function ownChanges(ledger) {
  const own = new Map(ledger.changes.filter(([map]) => map === ledger.own).map(([, key, value]) => [key, value]));
  const phrases = own.has("xp") ? [`XP ${own.get("xp") ?? 0} → ${ledger.own.get("xp")}`] : [];
  if (own.has("achievements")) {
    const keys = (list) => new Set(list.map((one) => one.key));
    const [old, now] = [keys(own.get("achievements")), keys(ledger.own.get("achievements"))];
    for (const key of [...now].sort(byTier)) if (!old.has(key)) phrases.push(`new: ${achievementWords(ledger, key)}`);
    for (const key of old) if (!now.has(key)) phrases.push(`gone: ${achievementWords(ledger, key)}`);
  }
  return phrases;
}

/** Returns how many days ended with a step, such as `2 days ended`, or nothing. */
function endedDays(ledger) {
  const [, , before] = ledger.changes.find(([map, key]) => map === ledger.own && key === "today") ?? [];
  const count = ledger.own.get("today") - before;
  return count > 0 && ledger.step?.id !== undefined ? `${plural(count, "day")} ended` : undefined;
}

const isDefined = "is defined";

function fieldPhrases(ledger, habit, fields) {
  if (fields.has("name") && fields.get("name") === undefined) return [isDefined];
  const parts = [];
  const change = (name) => `${fields.get(name) ?? 0} → ${ledger.field(habit, name) ?? 0}`;
  if (fields.has("current")) parts.push(`run ${change("current")}`);
  if (fields.get("longest") !== undefined) parts.push(`longest ${ledger.field(habit, "longest")}`);
  if (fields.has("jokers.held")) parts.push(`jokers ${change("jokers.held")}`);
  return parts;
}

const signed = (verdict) => (verdict ? `${signOf(verdict)} ${verdict}` : "gone");

function daysPhrase({ from, to, count, before, after }) {
  const days = from === to ? dayText(from) : `${dayText(from)}…${dayText(to)}`;
  const some = count === to - from + 1 ? "" : `${count} days of `;
  return `${some}${days} ${[...(before ? [before] : []), after].map(signed).join(" → ")}`;
}

/** Returns the new verdicts only, for the narrow bar of a phone. */
const briefDaysPhrase = ({ from, count, after }) => `${count === 1 ? dayText(from) : `${count} days`} ${signed(after)}`;

/** The maximum number of spans with the same change that are listed separately. */
const mostSpans = 3;

/** Returns the spans as shown: many with the same change become one, from the first day to the last. */
function merged(spans) {
  const alike = new Map();
  for (const span of spans) {
    listIn(alike, `${span.before} ${span.after}`).push({ ...span, count: span.to - span.from + 1 });
  }
  return [...alike.values()]
    .flatMap((same) => {
      if (same.length <= mostSpans) return same;
      const count = same.reduce((sum, span) => sum + span.count, 0);
      return [{ ...same[0], to: same.at(-1).to, count }];
    })
    .sort((a, b) => a.from - b.from);
}

/** The verdicts of a new day without entries, which do not count as a change. */
const beginnings = ["open", "excused", "rest"];

/** Groups consecutive days whose verdicts changed in the same way. */
function verdictSpans(ledger, habit, days) {
  const verdict = (cell) => data.cells[cell]?.verdict ?? null;
  const spans = [];
  for (const number of [...days.keys()].sort((a, b) => a - b)) {
    const before = verdict(days.get(number));
    const after = ledger.day(habit, number)?.verdict ?? null;
    if (before === after || (before === null && beginnings.includes(after))) continue;
    const last = spans.at(-1);
    if (last?.to === number - 1 && last.before === before && last.after === after) last.to = number;
    else spans.push({ from: number, to: number, before, after });
  }
  return spans;
}

/** The CSS classes for the changes of this step, of the previous one, and of the one before that. */
const trail = ["now", "past1", "past2"];

/** The habits and days that the last steps changed, each with the class of the last step that changed it. */
class Marks {
  /** Moves the ledger to a step, and records the changes of the last steps on the way. */
  lead(ledger, step) {
    this.habits = new Map();
    this.days = data.habits.map(() => new Map());
    const first = Math.max(data.begins + 1, step - trail.length + 1);
    for (let at = first; at <= step; at++) {
      ledger.goTo(at);
      // A step in which only days passed changes every habit, so nothing would stand out.
      if (ledger.step.id === undefined) continue;
      for (const { habit, spans } of habitChanges(ledger)) {
        this.habits.set(habit, trail[step - at]);
        for (const { from, to } of spans) {
          for (let day = from; day <= to; day++) this.days[habit].set(day, trail[step - at]);
        }
      }
    }
    ledger.goTo(step);
  }

  habit(habit) {
    return this.habits.get(habit) ?? "";
  }

  day(habit, number) {
    return this.days[habit]?.get(number) ?? "";
  }
}

/** Joins class names. */
const classes = (...names) => names.filter(Boolean).join(" ");
