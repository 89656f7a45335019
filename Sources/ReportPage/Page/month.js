/** The rings of a day, 28, 32 and 42 across as in the apps; the innermost is filled. */
const rings = [
  { name: "fill", radius: 14 },
  { name: "middle", radius: 16 },
  { name: "outer", radius: 21 },
];

/** A month as a table, each day with its rings; arrows move from day to day. */
class Month {
  constructor(onDay) {
    this.habits = data.rings.map((habit) => data.habits.indexOf(habit));
    this.onDay = onDay;
    this.cells = Array.from({ length: 42 }, () => this.cell());
    const rows = Array.from({ length: 6 }, (_, week) =>
      make("tr", { children: this.cells.slice(week * 7, week * 7 + 7).map((cell) => cell.box) }),
    );
    byId("month").tBodies[0].append(...rows);
    byId("month").addEventListener("keydown", (event) => this.move(event));
    byId("month-legend").append(
      ...this.habits.map((habit, ring) =>
        make("li", { children: [make("i", { attributes: { class: `ring-${rings[ring].name}` } }), make("span")] }),
      ),
      ...this.signs().map(([look, text]) =>
        make("li", { children: [make("i", { attributes: { class: look } }), make("span", { text })] }),
      ),
    );
  }

  /** What else a day of this ledger can show: other levels of the innermost ring, rest days, and days that were forgiven. */
  signs() {
    const known = new Set(data.cells.flatMap(([verdict, outcome]) => [verdict, outcome]));
    const levels = ["easy", "wild"].filter((level) => known.has(level)).map((level) => [`level-${level}`, level]);
    const signs = known.has("rest") ? [...levels, ["rest", "rest"]] : levels;
    if (known.has("healed")) return [...signs, ["forgiven", "forgiven, ★ by a joker"]];
    return known.has("graced") ? [...signs, ["forgiven", "forgiven"]] : signs;
  }

  cell() {
    const circles = this.habits.map((_, ring) =>
      make("circle", { attributes: { cx: 22, cy: 22, r: rings[ring].radius } }),
    );
    const number = make("text", { attributes: { x: 22, y: 22, class: "date" } });
    const star = make("text", { text: "★", attributes: { x: 37, y: 9, class: "star" } });
    const drawing = make("svg", { attributes: { viewBox: "0 0 44 44", "aria-hidden": "true" }, children: [...circles, number, star] });
    const button = make("button", { attributes: { type: "button" }, children: [drawing] });
    button.addEventListener("click", () => this.onDay(Number(button.dataset.day)));
    return { box: make("td", { children: [button] }), button, circles, number, star };
  }

  show(ledger, year, month, selected) {
    const start = dayNumber(year, month, 1) - weekday(dayNumber(year, month, 1));
    const today = ledger.own.get("today");
    setText(byId("month-title"), `${months[month]} ${year}`);
    this.cells.forEach((cell, place) => {
      const number = start + place;
      const date = dateOf(number);
      const isIn = date.month === month;
      cell.button.hidden = !isIn;
      if (!isIn) return;
      const days = this.habits.map((habit) => ledger.day(habit, number));
      setText(cell.number, String(date.date));
      days.forEach((day, ring) => {
        const level = ring === 0 && day ? ` level-${day.outcome}` : "";
        setAttribute(cell.circles[ring], "class", `ring-${rings[ring].name} ${day?.verdict ?? "none"}${level}`);
      });
      setAttribute(cell.star, "visibility", days.some((day) => day?.verdict === "healed") ? "visible" : "hidden");
      const words = this.habits.map((habit, ring) => `${data.habits[habit]} ${verdictWords(habit, days[ring])}`);
      setAttribute(cell.button, "aria-label", `${longDay(number)}: ${words.join(", ")}`);
      setAttribute(cell.button, "aria-pressed", String(number === selected));
      setAttribute(cell.button, "tabindex", number === selected ? "0" : "-1");
      setAttribute(cell.button, "data-day", String(number));
      setAttribute(cell.button, "class", number === today ? "today" : "");
      setAttribute(cell.button, "aria-current", number === today ? "date" : "false");
    });
    const shown = this.cells.filter((cell) => !cell.button.hidden);
    if (!shown.some((cell) => cell.button.tabIndex === 0)) setAttribute(shown[0].button, "tabindex", "0");
    this.habits.forEach((habit, ring) => {
      setText(byId("month-legend").children[ring].lastChild, habitName(ledger, habit));
    });
  }

  move(event) {
    if (!event.target.dataset.day) return;
    const day = Number(event.target.dataset.day);
    const monday = day - weekday(day);
    const arrows = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
    const to = dayByKey(event, day, arrows, [monday, monday + 6]);
    if (to === null) return;
    event.preventDefault();
    this.onDay(to);
    this.cells.find(({ button }) => !button.hidden && Number(button.dataset.day) === to).button.focus();
  }
}

/** What is known of one day: each habit's verdict, and the entries behind it. */
class DayList {
  /** `beginning` is the today of a page that begins late: of the days up to it not every entry is in the page. */
  show(ledger, number, beginning) {
    setText(byId("day-title"), number == null ? "No day yet" : longDay(number));
    const list = byId("day");
    const key = `${ledger.at} ${number}`;
    if (list.dataset.key === key) return;
    list.dataset.key = key;
    const isBefore = beginning != null && number != null && number <= beginning;
    const notice = "What was logged for this day before the page begins is counted, but not listed.";
    list.replaceChildren(
      ...(isBefore ? [make("li", { children: [make("small", { text: notice })] })] : []),
      ...ledger.habits.flatMap((habit) => {
        const day = ledger.day(habit, number);
        const entries = ledger.entries(habit, number);
        if (!day && entries.length === 0) return [];
        return make("li", {
          children: [
            make("i", { attributes: { class: day?.verdict ?? "none" } }),
            make("b", { text: habitName(ledger, habit) }),
            make("span", { text: verdictWords(habit, day) }),
            ...entries.map((entry) => make("small", { text: `${entry.says} · ${entry.id}` })),
          ],
        });
      }),
    );
  }
}
