/** What the last step changed that is worth telling: `{ habit, phrases, brief, spans }` of each habit. */
function habitChanges(ledger) {
  const changed = new Map();
  for (const [map, key, value] of ledger.changes) {
    if (!changed.has(map)) changed.set(map, new Map());
    changed.get(map).set(key, value);
  }
  const before = (map) => changed.get(map) ?? new Map();
  return ledger.habits.flatMap((habit) => {
    const spans = verdictSpans(ledger, habit, before(ledger.days[habit]));
    const fields = fieldPhrases(ledger, habit, before(ledger.fields[habit]));
    if (fields.length + spans.length === 0) return [];
    const told = fields[0] === isDefined ? [] : merged(spans);
    const [phrases, brief] = [daysPhrase, briefDaysPhrase].map((phrase) => [...fields, ...told.map(phrase)]);
    return [{ habit, phrases, brief, spans }];
  });
}

/** What it changed of the ledger's own: experience and achievements. */
function ownChanges(ledger) {
  const own = new Map(ledger.changes.filter(([map]) => map === ledger.own).map(([, key, value]) => [key, value]));
  const phrases = own.has("xp") ? [`XP ${own.get("xp") ?? 0} → ${ledger.own.get("xp")}`] : [];
  if (own.has("achievements")) {
    const keys = (list) => new Set(list.map((one) => one.key));
    const [old, now] = [keys(own.get("achievements")), keys(ledger.own.get("achievements"))];
    for (const key of now) if (!old.has(key)) phrases.push(`new: ${achievementWords(ledger, key)}`);
    for (const key of old) if (!now.has(key)) phrases.push(`gone: ${achievementWords(ledger, key)}`);
  }
  return phrases;
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

/** For the bar of a phone: what the days are now. */
function briefDaysPhrase({ from, count, after }) {
  return `${count === 1 ? dayText(from) : `${count} days`} ${signed(after)}`;
}

/** How many spans of the same change are told one by one. */
const mostSpans = 3;

/** Spans as they are told: many of the same change are one, with the days from the first to the last. */
function merged(spans) {
  const alike = new Map();
  for (const span of spans) {
    const change = `${span.before} ${span.after}`;
    alike.set(change, alike.get(change) ?? []);
    alike.get(change).push({ ...span, count: span.to - span.from + 1 });
  }
  return [...alike.values()]
    .flatMap((same) => {
      if (same.length <= mostSpans) return same;
      const count = same.reduce((sum, span) => sum + span.count, 0);
      return [{ ...same[0], to: same.at(-1).to, count }];
    })
    .sort((a, b) => a.from - b.from);
}

/** What a day begins as where nothing was logged; that it begins is no change of it. */
const beginnings = ["open", "excused", "rest"];

/** Days in a row whose verdicts changed alike. */
function verdictSpans(ledger, habit, days) {
  const verdict = (cell) => data.cells[cell]?.[0] ?? null;
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

/** How a change looks: that of the step here, of the step before it, and of the one before that. */
const trail = ["now", "past1", "past2"];

/** What the newest steps changed, each habit and day with the look of the newest step that changed it. */
class Marks {
  constructor() {
    this.clear();
  }

  clear() {
    this.habits = new Map();
    this.days = data.habits.map(() => new Map());
  }

  /** Leads the ledger to a step, and notes what the last steps on the way changed. */
  lead(ledger, step) {
    this.clear();
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

/** Classes in one text. */
const classes = (...names) => names.filter(Boolean).join(" ");
