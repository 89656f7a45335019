/** A month of a habit as a table of days; a day is chosen by a tap, and the arrow keys move the focus. */
class Month {
  constructor(habit) {
    this.habit = habit;
    this.days = new Map();
    this.title = make("h3", { attributes: { "aria-live": "polite" } });
    const step = (text, label, count) => makeButton(text, () => this.turn(count), { "aria-label": label });
    const heading = make("div", {
      attributes: { class: "heading" },
      children: [this.title, step("‹", "The month before", -1), step("›", "The month after", 1)],
    });
    this.table = make("table", { on: { keydown: (event) => this.move(event) } });
    this.signs = make("ul", { attributes: { class: "plain" } });
    const legend = make("details", { children: [make("summary", { text: "What the signs mean" }), this.signs] });
    this.element = make("div", { attributes: { class: "month" }, children: [heading, this.table, legend] });
  }

  turn(count) {
    this.month = plusMonths(this.month, count);
    this.show();
    this.load();
  }

  /** Loads the verdicts; without a connection the days can still be chosen. */
  async load() {
    const month = this.month ?? monthOf(page.day);
    const verdicts = await this.read(month);
    // Other months may have changed, too.
    if (verdicts) this.days = new Map([[month, verdicts]]);
    this.show();
  }

  /** Returns the days of a month with their verdicts, or nothing without a connection. */
  async read(month) {
    const path = `/v1/streaks/${encodeURIComponent(this.habit)}/calendar?month=${month}`;
    const answer = await read(path).catch(() => null);
    const days = answer?.document.habits[0]?.days ?? [];
    return answer && new Map(days.map((day) => [day.day, day]));
  }

  show() {
    if (!ledger) return;
    this.month ??= monthOf(page.day);
    setText(this.title, monthText(this.month));
    this.table.ariaLabel = `${monthText(this.month)}, ${nameOf(this.habit)}`;
    const { meanings } = ledger.state.words;
    fill(this.signs, meanings.join(), () => signRows(meanings));
    const verdicts = this.days.get(this.month) ?? new Map();
    const key = JSON.stringify([this.month, page.day, ledger.today, [...verdicts.values()]]);
    fill(this.table, key, () => [this.head(), ...this.weeks(verdicts)]);
  }

  get firstWeekday() {
    return Math.max(0, weekdayIds.indexOf(ledger.settings.weekStart));
  }

  head() {
    const names = weekdayIds.map((_, index) => capital(weekdayIds[(index + this.firstWeekday) % 7]));
    return make("tr", { children: names.map((text) => make("th", { text, attributes: { scope: "col" } })) });
  }

  weeks(verdicts) {
    const empty = (weekdayOf(`${this.month}-01`) - this.firstWeekday + 7) % 7;
    const cells = Array.from({ length: empty }, () => make("td"));
    for (let date = 1; date <= daysInMonth(this.month); date += 1) {
      const day = `${this.month}-${String(date).padStart(2, "0")}`;
      cells.push(make("td", { children: [this.dayButton(day, date, verdicts.get(day))] }));
    }
    const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) => cells.slice(week * 7, week * 7 + 7));
    return weeks.map((children) => make("tr", { children }));
  }

  dayButton(day, date, judged) {
    const verdict = judged?.verdict;
    const words = judged ? `, ${verdictWords(judged)}` : "";
    // One day is a tab stop: the chosen one, or the first of another month.
    const isStop = monthOf(page.day) === this.month ? day === page.day : date === 1;
    const button = makeButton("", () => page.choose(day), {
      class: verdict ?? "none", "aria-label": longDay(day) + words, "aria-pressed": String(day === page.day),
      "aria-current": day === ledger.today && "date", tabindex: isStop ? "0" : "-1", "data-day": day,
      disabled: day > ledger.today,
    });
    const sign = make("i", { text: signOf(verdict), attributes: { "aria-hidden": "true" } });
    button.append(make("span", { text: String(date) }), sign);
    return button;
  }

  move(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
    if (!step || !event.target.dataset.day) return;
    event.preventDefault();
    const day = plusDays(event.target.dataset.day, step);
    if (day > ledger.today) return;
    if (monthOf(day) !== this.month) this.turn(step > 0 ? 1 : -1);
    this.table.querySelector(`[data-day="${day}"]`)?.focus();
  }
}
