/** True if the reader prefers reduced motion. */
const isCalm = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;

/** The whole page: the slider's step, the chosen habit and the selected day. */
class Page {
  constructor() {
    this.text = new StepText();
    this.books = new Books();
    this.year = new Year((day) => this.select(day));
    this.trend = new Trend();
    this.month = new Month((day) => this.select(day));
    this.slider = byId("slider");
    this.isByDay = false;
    this.timer = null;
    this.loading = null;
    setText(byId("title"), data.title);
    byId("signs").append(...signRows(data.meanings));
    this.listen();
    this.build();
    this.setScale(false);
    if (this.openAddress()) return;
    this.goTo(this.lastStop);
    // The page opens at today, even if the newest entry is of a later day.
    const today = this.ledger.own.get("today");
    if (this.selected > today) this.select(today);
  }

  /** Makes the parts that depend on the steps of the page, again after more steps are loaded. */
  build() {
    this.ledger = new Ledger();
    this.marks = new Marks();
    this.cards = new Cards((habit) => this.choose(habit), () => this.reveal("chain-part"));
    this.day = new DayList();
    this.chain = new Chain((step) => this.goTo(step));
    this.year.addYears();
    this.chosen = Math.max(0, data.habits.indexOf(data.rings[0] ?? data.habits[data.order[0]]));
    this.days = data.steps.flatMap((step) => step.day ?? []);
    for (const id of ["year-part", "days-part", "trend-part", "book-part"]) byId(id).hidden = data.order.length === 0;
    this.begin();
  }

  /** Says what is missing from a page that begins late. */
  begin() {
    byId("since").hidden = data.begins === 0;
    this.beginning = undefined;
    if (data.begins === 0) return;
    this.ledger.goTo(data.begins);
    this.beginning = this.ledger.own.get("today");
    const before = plural(this.firstPosition, "event");
    const since = `This page begins as the ledger was on ${dayText(this.beginning)}, after ${before}.`;
    const missing = data.rest
      ? "Move the slider or choose an earlier day, and what was before appears."
      : "They count in all that is shown, but the entries among them are not listed.";
    setText(byId("since"), `${since} ${missing}`);
  }

  /** The position of the first step that the page shows. */
  get firstPosition() {
    return data.begins === 0 ? 0 : data.steps[0].position;
  }

  /** Loads the steps before those of a page that begins late. */
  loadRest(position) {
    if (data.begins > 0 && data.rest) return this.load("what was before", position);
  }

  /** Loads all steps; a second call waits for the first. */
  load(what, position) {
    this.loading ??= this.loadAll(what, position).finally(() => (this.loading = null));
    return this.loading;
  }

  /** Loads all steps, and stays at a position, the day, the habit and the focus. */
  async loadAll(what, wanted) {
    const pieces = await loadPieces(what);
    if (pieces === null) return;
    // The page stays usable while the steps are loaded.
    const position = wanted ?? this.ledger.step?.position ?? 0;

    const [chosen, focused] = [this.chosen, this.cards.focused].map((habit) => data.habits[habit]);
    const day = position < this.firstPosition ? null : this.selected;
    this.pause();
    read(pieces);
    this.build();
    this.chosen = Math.max(0, data.habits.indexOf(chosen));
    this.setScale(this.isByDay);
    if (!this.isByDay) this.goTo(stepAfter(position));
    if (day !== null) this.select(day);
    this.cards.focus(data.habits.indexOf(focused));
  }

  listen() {
    this.slider.addEventListener("input", () => this.moveTo(Number(this.slider.value)));
    const press = (id, action) => byId(id).addEventListener("click", action);
    press("by-day", () => {
      this.setScale(!this.isByDay);
      this.show();
      // What changes with the day is far below the cards.
      if (this.isByDay) this.reveal("day-part");
    });
    press("first", () => this.moveTo(Number(this.slider.min)));
    press("last", () => this.moveTo(Number(this.slider.max)));
    press("step-before", () => this.moveTo(this.place - 1));
    press("step-after", () => this.moveTo(this.place + 1));
    press("change-before", () => this.goToChange(-1));
    press("change-after", () => this.goToChange(1));
    press("play", () => (this.timer ? this.pause() : this.play()));
    press("month-before", () => this.turn(-1));
    press("month-after", () => this.turn(1));
    press("chain-end", () => this.goToEnd());
    press("headline", () => this.reveal(this.isByDay ? "day-part" : "step-part"));
    // The contents of a closed part are created only when somebody opens it.
    byId("ids-part").addEventListener("toggle", () => this.show());
    // Whoever touches the slider or asks for a reason wants more than the newest steps.
    for (const type of ["pointerdown", "focusin"]) byId("player").addEventListener(type, () => this.loadRest());
    byId("chain-part").addEventListener("toggle", () => this.loadRest());
    addEventListener("hashchange", () => this.openAddress() || this.show());
  }

  /** Scrolls to a part, which opens if it is closed. */
  reveal(part) {
    byId(part).open = true;
    byId(part).scrollIntoView({ behavior: isCalm() ? "auto" : "smooth" });
  }

  /** Shows the step or day that an address such as `#1204/noalc` or `#day=2025-11-03` names, or returns false. */
  openAddress() {
    const form = /^#(?:(?<position>\d+)|day=(?<day>\d{4}-\d\d-\d\d))(?:\/(?<habit>.+))?$/;
    const { position, day, habit } = form.exec(location.hash)?.groups ?? {};
    const number = Date.parse(day) / dayLength;
    if (position === undefined && Number.isNaN(number)) return false;
    const chosen = data.habits.indexOf(habit);
    if (chosen >= 0) this.chosen = chosen;

    this.setScale(position === undefined);
    if (this.isByDay) this.moveTo(number);
    else this.goTo(this.stop(stepAfter(Number(position)), -1));
    if (Number(position) < this.firstPosition) this.loadRest(Number(position));
    return true;
  }

  /** Makes the address lead to what is shown, without an entry in the browser's history. */
  keepAddress() {
    const place = this.isByDay ? `day=${dayText(this.selected)}` : this.ledger.step?.position ?? 0;
    const habit = data.habits[this.chosen];
    globalThis.history?.replaceState(null, "", `#${place}${habit ? `/${habit}` : ""}`);
  }

  /** Makes a stop of the slider a step, as it was known then, or a day, with what is known at the end. */
  setScale(isByDay) {
    this.pause();
    this.isByDay = isByDay;
    setAttributes(byId("by-day"), { "aria-pressed": isByDay });
    setAttributes(this.slider, { "aria-label": isByDay ? "Day" : "Step" });
    if (isByDay) this.goTo(this.lastStop);
    const today = this.ledger.own.get("today") ?? 0;
    this.slider.min = isByDay ? this.days.reduce((first, day) => Math.min(first, day), today) : data.begins;
    this.slider.max = isByDay ? today : this.lastStop;
    if (isByDay) this.moveTo(Math.min(this.selected ?? today, today));
  }

  /** Where the slider is: a day or a step. */
  get place() {
    return this.isByDay ? this.selected : this.ledger.at;
  }

  /** Returns the nearest step in a direction that does more than mark celebrations as seen. */
  stop(step, direction) {
    const isSeen = ({ type }) => type === "celebration.seen";
    const isQuiet = (one) => one && !one.days && !one.fields && (one.lines ?? [one]).every(isSeen);
    return isQuiet(data.steps[step - 1]) ? this.stop(step + direction, direction) : step;
  }

  get lastStop() {
    return this.stop(data.steps.length, -1);
  }

  moveTo(place) {
    if (!this.isByDay) return this.goTo(Math.min(this.stop(place, place > this.place ? 1 : -1), this.lastStop));
    this.select(Math.max(Number(this.slider.min), Math.min(Number(this.slider.max), place)));
  }

  /** Moves to a step, and selects the day that the step is about. */
  goTo(step) {
    this.marks.lead(this.ledger, Math.max(data.begins, Math.min(data.steps.length, step)));
    this.selected = this.ledger.aboutDay;
    this.shown = dateOf(this.selected ?? data.steps.find((step) => step.day != null)?.day ?? 0);
    this.show();
  }

  goToEnd() {
    this.setScale(false);
    this.goTo(this.lastStop);
  }

  /** Moves to the nearest step in a direction that changed the chosen habit, if there is one. */
  goToChange(direction) {
    const isChosen = ([habit]) => habit === this.chosen;
    const changes = (step) => [step.fields, step.days, step.book].some((part) => part?.some(isChosen));
    for (let at = this.ledger.at + direction; at > data.begins && at <= data.steps.length; at += direction) {
      if (!changes(data.steps[at - 1])) continue;
      if (this.isByDay) this.setScale(false);
      return this.goTo(at);
    }
  }

  play() {
    const isAtEnd = () => this.place === Number(this.slider.max);
    if (isAtEnd()) this.moveTo(Number(this.slider.min));
    this.timer = setInterval(() => {
      this.moveTo(this.place + 1);
      if (isAtEnd()) this.pause();
    }, isCalm() ? 1000 : 100);
    this.showPlaying();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.showPlaying();
  }

  showPlaying() {
    const isPlaying = this.timer !== null;
    setAttributes(byId("play"), { "aria-pressed": isPlaying });
    for (const spoken of [byId("step-text"), byId("month-title")]) {
      setAttributes(spoken, { "aria-live": isPlaying ? "off" : "polite" });
    }
  }

  choose(habit) {
    this.chosen = habit;
    this.show();
  }

  select(day) {
    this.selected = day;
    this.shown = dateOf(day);
    this.show();
    if (day <= this.beginning) this.loadRest();
  }

  /** Selects the same date some months later or earlier; the year follows. */
  turn(count) {
    const from = this.selected ?? dayNumber(this.shown.year, this.shown.month, 1);
    this.select(sameDate(from, this.shown.year, this.shown.month + count));
  }

  /** The day above the headline; by days the cards are not of the chosen day, but of the end. */
  dayWords(today) {
    if (today == null) return "";
    const words = (day) => `${weekdays[weekday(day)]}, ${longDay(day)}`;
    if (!this.isByDay || this.selected === today) return `${words(today)}:`;
    return `${words(this.selected)} is chosen below. The cards are of ${words(today)}:`;
  }

  show() {
    const { ledger, chosen, marks, selected, shown } = this;
    const today = ledger.own.get("today");
    setText(byId("today"), this.dayWords(today));
    this.slider.value = String(this.place);
    this.text.show(ledger, chosen, this.isByDay ? this.day.phrases(ledger, chosen, selected) : undefined);
    this.cards.show(ledger, chosen, marks);
    this.year.show(ledger, chosen, shown.year, selected, marks);
    this.trend.show(habitName(ledger, chosen), shown.year, this.year.sums);
    this.month.show(ledger, chosen, shown.year, shown.month, selected, marks);
    this.day.show(ledger, chosen, selected, this.beginning, marks);
    byId("day-note").hidden = !this.isByDay;
    this.books.show(ledger, chosen);
    this.chain.show(ledger, chosen);
    const stop = this.isByDay ? longDay(selected) : `Step ${ledger.at} of ${this.lastStop}: ${this.text.words(ledger)}`;
    setAttributes(this.slider, { "aria-valuetext": stop });
    this.keepAddress();
    if (selected != null) this.year.reveal(selected);
  }
}

const page = new Page();
