const todayField = data.ledgerFields.indexOf("today");

/**
 * What was known of a month's days after the last event of each week: a row for each week after which a verdict was another, that
 * leads there.
 */
class Known {
  constructor(goTo) {
    this.goTo = goTo;
  }

  show(ledger, habit, year, month) {
    setText(byId("known-title"), `What was known of ${months[month]} ${year}, and when`);
    if (!byId("known-part").open) return;
    const first = dayNumber(year, month, 1);
    const days = Array.from({ length: dayNumber(year, month + 1, 1) - first }, (_, place) => first + place);
    const rows = this.rows(habit, days);
    const key = JSON.stringify([habit, first, rows.length, data.steps.length, habitName(ledger, habit)]);
    setText(byId("known-note"), rows.length > 0 ? "" : `Nothing was known of ${habitName(ledger, habit)} in this month.`);
    const table = byId("known");
    fill(table.children[0].children[0], key, () => [
      make("th", { text: "known on", attributes: { scope: "col" } }),
      ...days.map((day) => make("th", { text: String(dateOf(day).date), attributes: { scope: "col" } })),
    ]);
    fill(table.tBodies[0], key, () => rows.map((row, place) => this.row(row, rows[place - 1], days)));
    rows.forEach((row, place) => setAttribute(table.tBodies[0].children[place], "aria-current", String(row.at === ledger.at)));
  }

  /** The weeks after which a verdict of these days was not what it was before. */
  rows(habit, days) {
    const [first, last] = [days[0], days.at(-1)];
    const known = new Map();
    const rows = [];
    let today = null;
    const take = (at) => {
      const verdicts = days.map((day) => data.cells[known.get(day)]?.[0] ?? null);
      const isNew = String(verdicts) !== String(rows.at(-1)?.verdicts ?? days.map(() => null));
      if (isNew) rows.push({ at, today, verdicts });
    };
    for (const [place, { own = [], days: changed = [], newest }] of data.steps.entries()) {
      for (let i = 0; i < own.length; i += 2) {
        if (own[i] !== todayField) continue;
        const day = newest + own[i + 1];
        if (today !== null && day - weekday(day) !== today - weekday(today)) take(place);
        today = day;
      }
      for (const [one, ...cells] of changed) {
        for (let i = 0; one === habit && i < cells.length; i += 2) {
          if (cells[i] >= first && cells[i] <= last) known.set(cells[i], cells[i + 1] ?? undefined);
        }
      }
    }
    take(data.steps.length);
    return rows;
  }

  row({ at, today, verdicts }, before, days) {
    const head = make("th", { attributes: { scope: "row" }, children: [eventLink(data.steps[at - 1].position, this.goTo, dayText(today))] });
    return make("tr", { children: [head, ...verdicts.map((verdict, place) => {
      const old = before?.verdicts[place] ?? null;
      const isOther = old !== null && old !== "open" && old !== verdict;
      const title = `${dayText(days[place])}: ${verdict ?? "not counted"}${isOther ? `, before ${old}` : ""}`;
      const cell = make("td", { text: verdict === "good" ? "" : signOf(verdict), attributes: { class: classes(verdict, isOther && "other"), title } });
      cell.addEventListener("click", () => this.goTo(at, days[place]));
      return cell;
    })] });
  }
}
