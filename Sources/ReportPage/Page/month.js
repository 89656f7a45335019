/** A day's rings and their radii, half of those in the apps; the innermost is filled. */
const rings = [{ name: "fill", radius: 14 }, { name: "middle", radius: 16 }, { name: "outer", radius: 21 }];

/** A month as a table of days with rings; the chosen habit's ring is the innermost. Arrow keys move from day to day. */
class Month {
  constructor(onDay) {
    this.onDay = onDay;
    this.cells = Array.from({ length: 42 }, () => this.cell());
    this.rows = Array.from({ length: 6 }, (_, week) =>
      make("tr", { children: this.cells.slice(week * 7, week * 7 + 7).map((cell) => cell.box) }),
    );
    const heads = weekdays.map((name) => make("th", { text: name.slice(0, 2), attributes: { scope: "col", abbr: name } }));
    byId("month-head").append(...heads);
    byId("month").tBodies[0].append(...this.rows);
    byId("month").addEventListener("keydown", (event) => this.move(event));
  }

  cell() {
    const circle = ({ radius }) => make("circle", { attributes: { cx: 22, cy: 22, r: radius } });
    const circles = data.rings.map((_, ring) => circle(rings[ring]));
    const number = make("text", { attributes: { x: 22, y: 22, class: "date" } });
    const sign = make("text", { text: "", attributes: { x: 38, y: 8 } });
    const drawing = make("svg", { attributes: { viewBox: "0 0 44 44", "aria-hidden": "true" }, children: [...circles, number, sign] });
    const button = makeButton("", () => this.onDay(Number(button.dataset.day)));
    button.append(drawing);
    return { box: make("td", { children: [button] }), button, circles, number, sign };
  }

  /** Returns the habits of the rings: the chosen habit comes first, and if it has another ring, the two swap. */
  habits(chosen) {
    const [innermost, ...others] = data.rings.map((habit) => data.habits.indexOf(habit));
    return [chosen, ...others.map((habit) => (habit === chosen ? innermost : habit))];
  }

  show(ledger, chosen, year, month, selected, marks) {
    const start = dayNumber(year, month, 1) - weekday(dayNumber(year, month, 1));
    const today = ledger.own.get("today");
    const habits = data.rings.length > 0 ? this.habits(chosen) : [];
    setText(byId("month-title"), `${months[month]} ${year}`);
    this.cells.forEach((cell, place) => {
      const number = start + place;
      const date = dateOf(number);
      cell.button.hidden = date.month !== month;
      if (date.month !== month) return;
      this.showDay(cell, ledger, habits, number, date.date, marks);
      const isToday = number === today;
      setAttributes(cell.button, {
        "aria-pressed": number === selected, tabindex: number === selected ? 0 : -1, "data-day": number,
        class: isToday ? "today" : "", "aria-current": isToday ? "date" : false,
      });
    });
    const shown = this.cells.filter((cell) => !cell.button.hidden);
    if (!shown.some((cell) => cell.button.tabIndex === 0)) setAttributes(shown[0].button, { tabindex: 0 });
    this.rows.forEach((row, week) => (row.hidden = this.cells[week * 7].button.hidden && this.cells[week * 7 + 6].button.hidden));
    this.showLegend(ledger, habits);
  }

  showDay(cell, ledger, habits, number, date, marks) {
    const days = habits.map((habit) => ledger.day(habit, number));
    setText(cell.number, String(date));
    days.forEach((day, ring) => {
      const names = classes(`ring-${rings[ring].name}`, day?.verdict ?? "none", marks.day(habits[ring], number));
      setAttributes(cell.circles[ring], { class: names });
    });
    const verdict = days[0]?.verdict;
    setText(cell.sign, verdict && verdict !== "good" ? signOf(verdict) : "");
    setAttributes(cell.sign, { class: classes("sign", verdict) });
    const words = habits.map((habit, ring) => `${habitName(ledger, habit)} ${verdictWords(days[ring])}`);
    const looks = habits.map((habit) => marks.day(habit, number));
    const mark = trail.find((look) => looks.includes(look)) ?? "";
    setAttributes(cell.button, { "aria-label": `${longDay(number)}: ${words.join(", ")}`, "data-mark": mark });
  }

  showLegend(ledger, habits) {
    const names = habits.map((habit) => habitName(ledger, habit));
    const mark = (ring) => make("i", { attributes: { class: `ring-${rings[ring].name}` } });
    const item = (name, ring) => make("li", { children: [mark(ring), make("span", { text: name })] });
    fill(byId("month-legend"), names.join("\n"), () => names.map(item));
  }

  move(event) {
    if (!event.target.dataset.day) return;
    const day = Number(event.target.dataset.day);
    const first = day - weekday(day);
    const arrows = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
    moveByKey(event, day, arrows, [first, first + 6], (to) => {
      this.onDay(to);
      const isThere = ({ button }) => !button.hidden && Number(button.dataset.day) === to;
      this.cells.find(isThere).button.focus();
    });
  }
}
