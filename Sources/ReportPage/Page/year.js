const months = [
  "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
  "December",
];

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** A day's place in its week, 0 on Monday. */
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
  const isQuietRest = day.verdict === "rest" && ["missed", "good"].includes(day.outcome);
  const isPlain = day.outcome === day.verdict || day.verdict === "open" || isQuietRest;
  return day.verdict + lot + (isPlain ? "" : ` (${visible(day.outcome)})`);
}

/** The day that a key leads to in a grid of days, by the days its arrows go and the ends of a day's row; else null. */
function dayByKey({ key, altKey, ctrlKey, metaKey }, day, arrows, [rowStart, rowEnd]) {
  if (altKey || ctrlKey || metaKey) return null;
  const { year, month, date } = dateOf(day);
  const inMonth = (month) => Math.min(dayNumber(year, month, date), dayNumber(year, month + 1, 1) - 1);
  const days = { Home: rowStart, End: rowEnd, PageUp: inMonth(month - 1), PageDown: inMonth(month + 1) };
  return key in arrows ? day + arrows[key] : (days[key] ?? null);
}

/** The year of the chosen habit, a square a day and a column a week; as in the month, arrows move from day to day. */
class Year {
  constructor(onDay) {
    this.onDay = onDay;
    this.svg = byId("year");
    this.squares = Array.from({ length: 54 * 7 }, (_, place) => this.square(Math.floor(place / 7), place % 7));
    this.looks = [];
    const rows = weekdays.map((_, row) =>
      make("g", { attributes: { role: "row" }, children: this.squares.filter((_, place) => place % 7 === row) }),
    );
    const label = (text, x, y) => make("text", { text, attributes: { x, y, "aria-hidden": "true" } });
    this.labels = months.map((name) => label(name.slice(0, 3), 0, 9));
    const days = [0, 2, 4].map((row) => label(weekdays[row].slice(0, 2), 0, 23 + row * 13));
    this.svg.append(...rows, ...this.labels, ...days);
    setAttribute(this.svg, "viewBox", `-1 0 ${18 + 54 * 13} ${14 + 7 * 13}`);
    this.svg.addEventListener("click", ({ target }) => {
      if (target.dataset?.day) onDay(Number(target.dataset.day));
    });
    this.svg.addEventListener("keydown", (event) => this.move(event));
  }

  square(column, row) {
    const place = { x: 18 + column * 13, y: 14 + row * 13, width: 11, height: 11, rx: 2 };
    return make("rect", { attributes: { role: "gridcell", "aria-colindex": column + 1, ...place } });
  }

  show(ledger, chosen, year, selected) {
    const [first, last] = [dayNumber(year, 0, 1), dayNumber(year, 11, 31)];
    this.start = first - weekday(first);
    this.span = [first, last];
    const isShown = selected != null && selected >= first && selected <= last;
    const counts = new Map(data.verdicts.map((verdict) => [verdict, 0]));
    if (this.shown !== `${chosen} ${year}`) this.looks = [];
    this.shown = `${chosen} ${year}`;
    this.squares.forEach((square, place) => {
      const number = this.start + place;
      const isInYear = number >= first && number <= last;
      const cell = isInYear ? (ledger.days[chosen]?.get(number) ?? -1) : -1;
      const verdict = data.cells[cell]?.[0];
      if (verdict) counts.set(verdict, counts.get(verdict) + 1);
      const isStop = number === (isShown ? selected : first);
      // Touched only where it is to look or sound different: a step changes few of them.
      const look = `${cell} ${isStop} ${isStop && isShown}`;
      if (this.looks[place] === look) return;
      this.looks[place] = look;
      if (!isInYear) return this.hideSquare(square);
      const words = verdictWords(chosen, ledger.day(chosen, number));
      this.showSquare(square, number, words, verdict, isStop, isStop && isShown);
    });
    this.labels.forEach((label, month) => {
      setAttribute(label, "x", String(18 + Math.ceil((dayNumber(year, month, 1) - this.start) / 7) * 13));
    });
    const found = [...counts].filter(([, count]) => count > 0);
    const words = found.map(([verdict, count]) => `${count} ${verdict}`).join(", ");
    const name = habitName(ledger, chosen);
    setText(byId("year-title"), `${name} in ${year}`);
    setAttribute(this.svg, "aria-label", `The days of ${year} of ${name}: ${words || "none counted"}`);
    this.showLegend(found);
  }

  /** `isStop` is where the Tab key stops: the selected day, or where that is in another year the first. */
  showSquare(square, number, words, verdict, isStop, isSelected) {
    setAttribute(square, "class", (verdict ?? "none") + (isSelected ? " selected" : ""));
    setAttribute(square, "data-day", String(number));
    setAttribute(square, "tabindex", isStop ? "0" : "-1");
    setAttribute(square, "aria-selected", String(isSelected));
    setAttribute(square, "aria-label", `${weekdays[weekday(number)]}, ${longDay(number)}: ${words}`);
  }

  /** Brings a day into view where the window is narrower than the year; last, as it has the page laid out. */
  reveal(day) {
    const column = Math.floor((day - this.start) / 7);
    if (this.column === column) return;
    this.column = column;
    const window = this.svg.parentElement;
    window.scrollLeft = ((18 + column * 13) / (18 + 54 * 13)) * window.scrollWidth - window.clientWidth / 2;
  }

  /** A place of the grid that is in another year. */
  hideSquare(square) {
    setAttribute(square, "class", "outside");
    setAttribute(square, "data-day", "");
    setAttribute(square, "tabindex", "-1");
  }

  showLegend(found) {
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

  move(event) {
    const day = Number(event.target.dataset.day);
    const [first, last] = this.span;
    const row = [first + ((((day - first) % 7) + 7) % 7), last - ((((last - day) % 7) + 7) % 7)];
    const to = dayByKey(event, day, { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 }, row);
    if (to === null) return;
    event.preventDefault();
    this.onDay(to);
    this.squares[to - this.start].focus();
  }
}
