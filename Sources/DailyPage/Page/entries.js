/** Shows the entries of a day, each with buttons that replace and delete it. */
function showEntries(list, habit, day) {
  const entries = ledger.entriesOf(habit, day);
  const isKnown = ledger.entries.has(day);
  const isWaiting = queue.waiting.some((tap) => tap.habit === habit && tap.day === day);
  const nothing = isWaiting ? "What waits is not sent yet." : `Nothing is logged for ${dayText(day)}.`;
  const none = isKnown ? nothing : "What is logged for this day needs a connection.";
  const rows = () => (entries.length > 0 ? entries.map(entryRow) : [make("li", { text: none, attributes: { class: "soft" } })]);
  fill(list, JSON.stringify([day, none, entries]), rows);
}

function entryRow(entry) {
  const text = entryText(entry);
  const time = clockTime(entry.at, ledger.state.zone);
  const label = `${text}, logged at ${time}`;
  return make("li", {
    children: [
      make("span", { text: text + noteText(entry) }),
      make("small", { text: time }),
      makeButton("Replace", () => askReplacement(entry), { "aria-label": `Replace ${label}` }),
      makeButton("Delete", () => askDeletion(entry), { "aria-label": `Delete ${label}` }),
    ],
  });
}

function askDeletion(entry) {
  ask({
    title: `Delete ${entryText(entry)} of ${dayText(entry.day)}?`,
    fields: [{ name: "reason", label: "Reason (optional)", maxlength: 500 }],
    verb: "Delete", isDangerous: true,
    action: (values) => page.tap("entry.deleted", { entry: entry.id, ...values }, `deleted ${entryText(entry)}`, entry),
  });
}

/** Asks for what replaces an entry. The new entry has the old one's key, or its id as the key. */
function askReplacement(entry) {
  const rule = ledger.definition(entry.habit, entry.day).rule;
  const names = levelNames(rule.levels ?? {}).map((name) => [name, visible(name)]);
  const levels = rule.levels && { name: "level", label: "Level", options: names, value: entry.level };
  const choices = [["true", "Done"], ["false", "Failed"]];
  const results = rule.kind === "completed" && { name: "completed", label: "Result", options: choices, value: String(entry.completed) };
  const note = { name: "note", label: "Note", value: entry.note, maxlength: 500 };
  ask({
    title: `Replace ${entryText(entry)} of ${dayText(entry.day)}`,
    fields: [...inputsOf(entry.habit, entry.day, entry), levels, results, note].filter(Boolean),
    verb: "Replace",
    action: ({ completed, ...values }) => {
      const isThere = ledger.entriesOf(entry.habit, entry.day).some(({ id }) => id === entry.id);
      if (!isThere) throw new Problem(409, "It was replaced or deleted meanwhile.");
      const kept = ["minutes", "km", "sets", "amount", "activity", "value"].filter((name) => name in entry);
      const old = Object.fromEntries(kept.map((name) => [name, entry[name]]));
      const given = withActivity(entry.habit, entry.day, values);
      const fields = { ...old, ...given, ...(completed ? { completed: completed === "true" } : {}) };
      const text = entryText({ habit: entry.habit, day: entry.day, ...fields });
      // A correction keeps the time, unless that came from a wrong clock.
      const keptTime = Date.parse(entry.at) <= Date.now() ? { at: entry.at } : {};
      const replacing = { habit: entry.habit, day: entry.day, key: entry.key ?? entry.id, cause: entry.id, ...keptTime, ...fields };
      return page.tap("entry.logged", replacing, `${text} instead of ${entryText(entry)}`);
    },
  });
}
