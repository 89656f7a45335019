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

/** Returns the text of an achievement at this step. */
function achievementWords(ledger, key) {
  const unitOf = (id) => ledger.field(data.habits.indexOf(id), "progress.per");
  return achievementText(key, (id) => nameOf(ledger, id), unitOf);
}

/** Returns the sign of a verdict, the same as in `streaks calendar`. */
const signOf = (verdict) => data.signs[data.verdicts.indexOf(verdict)] ?? "";

/** Returns an event as text, without ids. */
function eventWords(ledger, step) {
  if (step.told ?? step.entry === undefined) return step.told ?? step.says;
  const words = ["logged", habitName(ledger, step.entry), step.says].filter(Boolean).join(" ");
  return step.day === ledger.own.get("today") ? words : `${words} for ${dayText(step.day)}`;
}
