/** Returns the habits, the chosen one first. */
const sortedHabits = (ledger, chosen) => [...ledger.habits].sort((a, b) => Number(a !== chosen) - Number(b !== chosen));

/** One day: each habit's verdict, the chosen habit's first, and the entries behind it. */
class DayList {
  constructor() {
    this.rows = data.habits.map(() => make("li"));
    const notice = "What was logged for this day before the page begins is counted, but not listed.";
    this.notice = make("li", { children: [make("small", { text: notice })] });
  }

  /** `beginning` is the first today of a page that begins late; for days up to it, entries may be missing. */
  show(ledger, chosen, number, beginning, marks) {
    setText(byId("day-title"), number == null ? "No day yet" : `${weekdays[weekday(number)]}, ${longDay(number)}`);
    this.notice.hidden = !(beginning != null && number != null && number <= beginning);
    const order = sortedHabits(ledger, chosen);
    arrange(byId("day"), [this.notice, ...order.map((habit) => this.rows[habit])]);
    for (const habit of order) {
      const names = classes(habit === chosen && "chosen", marks.day(habit, number));
      setAttributes(this.rows[habit], { class: names });
      this.showRow(this.rows[habit], ledger, habit, number);
    }
    this.showIds(ledger, order, number);
  }

  /** Returns the day and pairs of a name and a verdict, the chosen habit's first, for the bar. */
  phrases(ledger, chosen, number) {
    const isJudged = (habit) => ledger.day(habit, number);
    const verdict = (habit) => [habitName(ledger, habit), verdictWords(ledger.day(habit, number))];
    return [["", dayText(number)], ...sortedHabits(ledger, chosen).filter(isJudged).map(verdict)];
  }

  /** Updates a habit's row, but only if its text changes. */
  showRow(row, ledger, habit, number) {
    const day = ledger.day(habit, number);
    const entries = ledger.entries(habit, number);
    const [name, words] = [habitName(ledger, habit), verdictWords(day)];
    const says = (entry) => make("span", { text: entry.says ?? "logged" });
    row.hidden = !day && entries.length === 0;
    fill(row, JSON.stringify([name, words, day?.verdict, entries.map((entry) => entry.id)]), () => [
      signMark(day?.verdict),
      make("b", { text: name }),
      make("span", { text: words }),
      make("small", { attributes: { class: "entries" }, children: entries.map(says) }),
    ]);
  }

  /** Makes the list of the ids of the day's entries, which people type into commands. */
  showIds(ledger, order, number) {
    const found = order.map((habit) => [habitName(ledger, habit), ledger.entries(habit, number).map(({ id }) => id)]);
    const lines = found.filter(([, ids]) => ids.length > 0);
    byId("ids-part").hidden = lines.length === 0;
    if (!byId("ids-part").open) return;
    fill(byId("ids"), JSON.stringify(lines), () => lines.map(([name, ids]) => {
      const codes = ids.flatMap((id) => [" ", make("code", { text: id })]);
      return make("li", { children: [make("b", { text: name }), ...codes] });
    }));
  }
}
