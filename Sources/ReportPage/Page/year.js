/** The chosen habit's year: one square per day, one column per week. Arrow keys move from day to day. */
class Year {
  constructor(onDay) {
    this.onDay = onDay;
    this.svg = byId("year");
    this.squares = Array.from({ length: 54 * 7 }, (_, place) => this.square(Math.floor(place / 7), place % 7));
    this.signs = this.squares.map((_, place) =>
      make("text", { text: "", attributes: { x: 23.5 + Math.floor(place / 7) * 13, y: 20 + (place % 7) * 13 } }),
    );
    const rows = weekdays.map((_, row) =>
      make("g", { attributes: { role: "row" }, children: this.squares.filter((_, place) => place % 7 === row) }),
    );
    const label = (text, x, y) => make("text", { text, attributes: { x, y, "aria-hidden": "true" } });
    this.labels = months.map((name) => label(name.slice(0, 3), 0, 9));
    const days = [0, 2, 4].map((row) => label(weekdays[row].slice(0, 2), 0, 23 + row * 13));
    const signs = make("g", { attributes: { class: "signs", "aria-hidden": "true" }, children: this.signs });
    this.svg.append(...rows, signs, ...this.labels, ...days);
    setAttributes(this.svg, { viewBox: `-1 0 ${18 + 54 * 13} ${14 + 7 * 13}` });
    this.svg.addEventListener("click", ({ target }) => {
      if (target.dataset?.day) onDay(Number(target.dataset.day));
    });
    this.svg.addEventListener("keydown", (event) => this.move(event));
  }

  square(column, row) {
    const place = { x: 18 + column * 13, y: 14 + row * 13, width: 11, height: 11, rx: 2 };
    return make("rect", { attributes: { role: "gridcell", "aria-colindex": column + 1, ...place } });
  }

  /** Makes a button for each year with days, which selects the same date in that year. */
  addYears() {
    const [first, last] = span.map((day) => (Number.isFinite(day) ? dateOf(day).year : 0));
    this.looks = [];
    this.years = Array.from({ length: first > 0 ? last - first + 1 : 0 }, (_, place) => {
      const year = first + place;
      return { year, button: makeButton(String(year), () => this.onDay(sameDate(this.selected, year))) };
    });
    byId("years").replaceChildren(...this.years.map(({ button }) => button));
  }

  show(ledger, chosen, year, selected, marks) {
    const [first, last] = [dayNumber(year, 0, 1), dayNumber(year, 11, 31)];
    this.start = first - weekday(first);
    this.span = [first, last];
    this.selected = selected ?? first;
    const isShown = selected != null && selected >= first && selected <= last;
    const counts = new Map(data.verdicts.map((verdict) => [verdict, 0]));
    this.sums = new Sums(year);
    this.squares.forEach((square, place) => {
      const number = this.start + place;
      const isInYear = number >= first && number <= last;
      const cell = isInYear ? (ledger.days[chosen]?.get(number) ?? -1) : -1;
      const verdict = data.cells[cell]?.verdict;
      if (verdict) counts.set(verdict, counts.get(verdict) + 1);
      this.sums.add(number, place, verdict);
      // The Tab key stops at the selected day, or at the first day of another year.
      const isStop = number === (isShown ? selected : first);
      // Only squares that will look or sound different are changed, because a step changes few of them.
      const look = `${chosen} ${year} ${cell} ${isStop && isShown} ${isStop} ${marks.day(chosen, number)}`;
      if (this.looks[place] === look) return;
      this.looks[place] = look;
      setText(this.signs[place], verdict && verdict !== "good" ? signOf(verdict) : "");
      setAttributes(this.signs[place], { class: verdict ?? "" });
      if (!isInYear) return setAttributes(square, { class: "outside", "data-day": "", tabindex: -1 });
      const names = classes(verdict ?? "none", isStop && isShown && "selected", marks.day(chosen, number));
      setAttributes(square, {
        class: names, "data-day": number, tabindex: isStop ? 0 : -1, "aria-selected": isStop && isShown,
        "aria-label": `${weekdays[weekday(number)]}, ${longDay(number)}: ${verdictWords(ledger.day(chosen, number))}`,
      });
    });
    this.labels.forEach((label, month) => {
      setAttributes(label, { x: 18 + Math.ceil((dayNumber(year, month, 1) - this.start) / 7) * 13 });
    });
    this.showTitle(ledger, chosen, year, [...counts].filter(([, count]) => count > 0));
  }

  showTitle(ledger, chosen, year, found) {
    const words = found.map(([verdict, count]) => `${count} ${verdict}`).join(", ");
    const name = habitName(ledger, chosen);
    setText(byId("year-title"), `${name} in ${year}`);
    setAttributes(this.svg, { "aria-label": `The days of ${year} of ${name}: ${words || "none counted"}` });
    for (const one of this.years) setAttributes(one.button, { "aria-pressed": one.year === year });
    fill(byId("year-legend"), found.join(), () =>
      found.map(([verdict, count]) => make("li", { children: [signMark(verdict), make("span", { text: `${verdict} ${count}` })] })),
    );
    const isDefined = ledger.field(chosen, "status") != null;
    setText(byId("detail"), isDefined ? this.detail(ledger, chosen).join(" · ") : "");
  }

  /** Returns the description of the chosen habit at this step. */
  detail(ledger, chosen) {
    const { run, word, remarks } = cardOf(ledger, chosen);
    return [...new Set([run, word, ...remarks, ...totals(ledger, chosen)].filter(Boolean))];
  }

  /** Scrolls to a day in a narrow window. Called last, because it makes the browser lay out the page. */
  reveal(day) {
    const column = Math.floor((day - this.start) / 7);
    if (this.column === column) return;
    this.column = column;
    const window = this.svg.parentElement;
    window.scrollLeft = ((18 + column * 13) / (18 + 54 * 13)) * window.scrollWidth - window.clientWidth / 2;
  }

  move(event) {
    const day = Number(event.target.dataset.day);
    const [first, last] = this.span;
    const row = [first + ((((day - first) % 7) + 7) % 7), last - ((((last - day) % 7) + 7) % 7)];
    const arrows = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 };
    moveByKey(event, day, arrows, row, (to) => {
      this.onDay(to);
      this.squares[to - this.start].focus();
    });
  }
}
