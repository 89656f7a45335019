/** A row of labelled bars that show how many of the counted days were good. */
class Bars {
  constructor(id, labels, { step, wide, left, floor, names }) {
    this.svg = byId(id);
    this.floor = floor;
    this.names = names;
    const bar = (name, place) =>
      make("rect", { attributes: { class: name, x: left + place * step, width: wide, y: 0, height: 0, rx: 1.5 } });
    this.bars = names.map((_, place) => {
      const label = labels[place] ?? "";
      const middle = left + place * step + wide / 2;
      const parts = { title: make("title", { text: "" }), counted: bar("counted", place), good: bar("bar", place) };
      const text = (text, attributes) => make("text", { text, attributes: { x: middle, ...attributes } });
      const texts = label ? [text("", { class: "count", y: 0 }), text(label, { y: floor + 12 })] : [];
      this.svg.append(make("g", { children: [...Object.values(parts), ...texts] }));
      return { ...parts, count: texts[0] };
    });
  }

  /** `sums` has `[good, counted]` for each bar; the largest count fills the height of the drawing. */
  show(sums, words) {
    const most = Math.max(1, ...sums.map(([, counted]) => counted));
    sums.forEach(([good, counted], place) => {
      const { counted: ground, good: bar, title, count } = this.bars[place];
      const height = (days) => Math.round((days / most) * (this.floor - 12) * 10) / 10;
      for (const [rect, days] of [[ground, counted], [bar, good]]) {
        setAttributes(rect, { height: height(days), y: this.floor - height(days) });
      }
      if (count) {
        setText(count, counted > 0 ? String(good) : "");
        setAttributes(count, { y: this.floor - 3 - height(counted) });
      }
      setText(title, counted > 0 ? `${this.names[place]}: ${good} of ${counted} good` : "");
    });
    const said = sums.flatMap(([good, counted], place) => (counted > 0 ? [`${this.names[place]} ${good} of ${counted}`] : []));
    setAttributes(this.svg, { "aria-label": `${words}: ${said.join(", ") || "none"}` });
  }
}

/** The chosen habit's good days in a year: one bar per week below the squares, one per weekday, and one per month. */
class Trend {
  constructor() {
    const short = (name) => name.slice(0, 3);
    byId("weeks").append(make("text", { text: "wk", attributes: { x: 0, y: 42, "aria-hidden": "true" } }));
    this.weeks = new Bars("weeks", [], { step: 13, wide: 11, left: 18, floor: 44, names: Array.from({ length: 54 }, (_, week) => `Week ${week + 1}`) });
    this.weekdays = new Bars("weekdays", weekdays.map((name) => name.slice(0, 2)), { step: 51, wide: 37, left: 4, floor: 92, names: weekdays });
    this.months = new Bars("months", months.map(short), { step: 30, wide: 22, left: 4, floor: 92, names: months });
  }

  show(name, year, sums) {
    const words = (part) => `Good days of ${name} in ${year} by ${part}, of the days asked for`;
    setText(byId("trend-title"), `Good days of ${name} in ${year}`);
    this.weeks.show(sums.weeks, words("week"));
    this.weekdays.show(sums.weekdays, words("weekday"));
    this.months.show(sums.months, words("month"));
  }
}

/** The verdicts of closed days on which the habit was due. */
const counting = new Set(["good", "healed", "graced", "missed", "bad", "restarted"]);

/** Counts the good days and the counted days of a year. */
class Sums {
  constructor(year) {
    const none = (length) => Array.from({ length }, () => [0, 0]);
    Object.assign(this, { weeks: none(54), weekdays: none(7), months: none(12), month: 0 });
    this.starts = months.map((_, month) => dayNumber(year, month + 1, 1));
  }

  /** Adds the day at an index of the year's squares; days are added in ascending order. */
  add(number, place, verdict) {
    if (!counting.has(verdict)) return;
    while (number >= this.starts[this.month]) this.month += 1;
    for (const sum of [this.weeks[Math.floor(place / 7)], this.weekdays[place % 7], this.months[this.month]]) {
      sum[1] += 1;
      if (verdict === "good") sum[0] += 1;
    }
  }
}
