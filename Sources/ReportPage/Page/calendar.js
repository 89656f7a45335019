const months = [
  "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
  "December",
];

const weekday = (number) => (((number + 3) % 7) + 7) % 7;

/** A day's year, month from 0, and date. */
function dateOf(number) {
  const date = new Date(number * 86400000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), date: date.getUTCDate() };
}

const longDay = (number) => {
  const { year, month, date } = dateOf(number);
  return `${date} ${months[month]} ${year}`;
};

/** A verdict with what else is worth knowing of the day: `healed by noalc/2 (easy)`. */
function verdictWords(habit, day) {
  if (!day) return "not counted";
  const lot = day.lot ? ` by ${visible(data.habits[habit])}/${day.lot}` : "";
  const isPlain = day.outcome === day.verdict || day.verdict === "open";
  return day.verdict + lot + (isPlain ? "" : ` (${visible(day.outcome)})`);
}

/** The year of the chosen habit, a square a day and a column a week. */
class Year {
  constructor(onDay) {
    this.svg = byId("year");
    this.squares = Array.from({ length: 54 * 7 }, (_, place) =>
      make("rect", { attributes: { x: Math.floor(place / 7) * 13, y: 14 + (place % 7) * 13, width: 11, height: 11, rx: 2 } }),
    );
    this.labels = months.map((name) => make("text", { text: name.slice(0, 3), attributes: { y: 9 } }));
    this.svg.append(...this.squares, ...this.labels);
    setAttribute(this.svg, "viewBox", `-1 0 ${54 * 13 + 1} ${14 + 7 * 13}`);
    this.svg.addEventListener("click", (event) => {
      const day = event.target.dataset?.day;
      if (day) onDay(Number(day));
    });
  }

  show(ledger, chosen, year, selected) {
    const start = dayNumber(year, 0, 1) - weekday(dayNumber(year, 0, 1));
    const last = dayNumber(year, 11, 31);
    const counts = new Map(data.verdicts.map((verdict) => [verdict, 0]));
    this.squares.forEach((square, place) => {
      const number = start + place;
      const isInYear = number <= last && dateOf(number).year === year;
      const day = isInYear ? ledger.day(chosen, number) : null;
      if (day) counts.set(day.verdict, counts.get(day.verdict) + 1);
      const look = !isInYear ? "outside" : (day?.verdict ?? "none") + (number === selected ? " selected" : "");
      setAttribute(square, "class", look);
      setAttribute(square, "data-day", isInYear ? String(number) : "");
    });
    this.labels.forEach((label, month) => {
      setAttribute(label, "x", String(Math.ceil((dayNumber(year, month, 1) - start) / 7) * 13));
    });
    const found = [...counts].filter(([, count]) => count > 0);
    const words = found.map(([verdict, count]) => `${count} ${verdict}`).join(", ");
    const name = habitName(ledger, chosen);
    setText(byId("year-title"), `${name} in ${year}`);
    setAttribute(this.svg, "aria-label", `The days of ${year} of ${name}: ${words || "none counted"}; the month below has them one by one`);
    const key = found.join();
    const legend = byId("year-legend");
    if (legend.dataset.key === key) return;
    legend.dataset.key = key;
    legend.replaceChildren(
      ...found.map(([verdict, count]) =>
        make("li", {
          children: [make("i", { attributes: { class: verdict } }), make("span", { text: `${verdict} ${count}` })],
        }),
      ),
    );
  }
}

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
    );
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
    });
    const shown = this.cells.filter((cell) => !cell.button.hidden);
    if (!shown.some((cell) => cell.button.tabIndex === 0)) setAttribute(shown[0].button, "tabindex", "0");
    this.habits.forEach((habit, ring) => {
      setText(byId("month-legend").children[ring].lastChild, habitName(ledger, habit));
    });
  }

  move(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
    const day = event.target.dataset.day;
    if (!steps[event.key] || !day) return;
    event.preventDefault();
    const to = Number(day) + steps[event.key];
    this.onDay(to);
    this.cells.find((cell) => !cell.button.hidden && Number(cell.button.dataset.day) === to)?.button.focus();
  }
}

/** What is known of one day: each habit's verdict, and the entries behind it. */
class DayList {
  show(ledger, number) {
    setText(byId("day-title"), number == null ? "No day yet" : longDay(number));
    const list = byId("day");
    const key = `${ledger.at} ${number}`;
    if (list.dataset.key === key) return;
    list.dataset.key = key;
    const isBefore = data.begins === 1 && number <= data.steps[1]?.day;
    list.replaceChildren(
      ...(isBefore ? [make("li", { children: [make("small", { text: "Entries from before this page begins are not in it." })] })] : []),
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
