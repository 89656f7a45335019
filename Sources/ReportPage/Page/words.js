/** Returns a habit's name at this step. */
function habitName(ledger, habit) {
  const names = data.habits.map((_, one) => ledger.field(one, "name"));
  return distinctName(names[habit] ?? data.habits[habit], data.habits[habit], names);
}

/** Returns the text of an achievement at this step. */
function achievementWords(ledger, key) {
  const place = (id) => data.habits.indexOf(id);
  return achievementText(key, (id) => habitName(ledger, place(id)), (id) => ledger.field(place(id), "progress.per"));
}

/** Returns the sign of a verdict, the same as in `streaks calendar`. */
const signOf = (verdict) => data.signs[data.verdicts.indexOf(verdict)] ?? "";

/** Returns an event as text, without ids. */
function eventWords(ledger, step) {
  if (step.told ?? step.entry === undefined) return step.told ?? step.says;
  const words = ["logged", habitName(ledger, step.entry), step.says].filter(Boolean).join(" ");
  return step.day === ledger.own.get("today") ? words : `${words} for ${dayText(step.day)}`;
}
