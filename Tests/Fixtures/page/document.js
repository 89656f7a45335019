const dayFields = new Set(data.dayFields);

/** Returns the state that a page shows as the document of `streaks replay --json`, without the celebrations. */
function stateDocument(ledger) {
  const event = data.steps.slice(0, ledger.at).findLast((step) => step.id ?? step.last);
  const own = (name) => ledger.own.get(name) ?? null;
  return sorted({
    format: 1,
    position: ledger.step?.position ?? 0,
    event: event?.id ?? event?.last ?? null,
    recorded: event?.recorded ?? null,
    today: dayText(own("today")),
    zone: own("zone"),
    habits: ledger.habits.map((habit) => habitDocument(ledger, habit)),
    achievements: own("achievements"),
    activity: {
      strengthDays: own("activity.strengthDays") ?? 0,
      cardioDays: own("activity.cardioDays") ?? 0,
      mixedDays: own("activity.mixedDays") ?? 0,
      lastActivity: own("activity.lastActivity"),
    },
    xp: own("xp"),
  });
}

function habitDocument(ledger, habit) {
  const document = { habit: data.habits[habit] };
  for (const name of data.habitFields) {
    const value = ledger.field(habit, name);
    const shown = dayFields.has(name) ? dayText(value) : value;
    const [outer, inner] = name.split(".");
    if (inner) (document[outer] ??= {})[inner] = shown;
    else document[outer] = shown;
  }
  if (document.quota.times === null) document.quota = null;
  if (document.progress.per === null) document.progress = null;
  return document;
}

/** Returns a copy of a value in which the keys of every object are sorted. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}
