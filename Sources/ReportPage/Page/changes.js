/** What the last step changed that is worth telling, a phrase each: habit by habit, then the ledger's own. */
function toldChanges(ledger) {
  const before = (map) => new Map(ledger.changes.filter(([one]) => one === map).map(([, key, value]) => [key, value]));
  const own = before(ledger.own);
  const phrases = ledger.habits.flatMap((habit) => {
    const parts = habitPhrases(ledger, habit, before(ledger.fields[habit]), before(ledger.days[habit]));
    return parts.length > 0 ? [`${habitName(ledger, habit)} ${parts.join(", ")}`] : [];
  });
  if (own.has("xp")) phrases.push(`XP ${own.get("xp") ?? 0} → ${ledger.own.get("xp")}`);
  if (own.has("achievements")) {
    const keys = (list) => new Set(list.map((one) => one.key));
    const [old, now] = [keys(own.get("achievements")), keys(ledger.own.get("achievements"))];
    for (const key of now) if (!old.has(key)) phrases.push(`+ ${visible(key)}`);
    for (const key of old) if (!now.has(key)) phrases.push(`- ${visible(key)}`);
  }
  return phrases;
}

function habitPhrases(ledger, habit, fields, days) {
  if (fields.has("name") && fields.get("name") === undefined) return ["is defined"];
  const parts = [];
  const change = (name) => `${fields.get(name) ?? 0} → ${ledger.field(habit, name) ?? 0}`;
  if (fields.has("current")) parts.push(`run ${change("current")}`);
  if (fields.get("longest") !== undefined) parts.push(`longest ${ledger.field(habit, "longest")}`);
  if (fields.has("jokers.held")) parts.push(`jokers ${change("jokers.held")}`);
  if (fields.has("cap")) parts.push(`most jokers ${change("cap")}`);
  for (const span of verdictSpans(ledger, habit, days)) {
    const [from, to] = [dayText(span.from), dayText(span.to)];
    const verdicts = [...(span.before ? [span.before] : []), span.after ?? "gone"];
    parts.push(`${from === to ? from : `${from}…${to}`} ${verdicts.join(" → ")}`);
  }
  return parts;
}

/** Days in a row whose verdicts changed alike. */
function verdictSpans(ledger, habit, days) {
  const verdict = (cell) => data.cells[cell]?.[0] ?? null;
  const spans = [];
  for (const number of [...days.keys()].sort((a, b) => a - b)) {
    const before = verdict(days.get(number));
    const after = ledger.day(habit, number)?.verdict ?? null;
    if (before === after || (before === null && after === "open")) continue;
    const last = spans.at(-1);
    if (last?.to === number - 1 && last.before === before && last.after === after) last.to = number;
    else spans.push({ from: number, to: number, before, after });
  }
  return spans;
}
