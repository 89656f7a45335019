/** The whole page: the slider's step, the chosen habit and the selected day. */
class Page {
  constructor() {
    this.ledger = new Ledger();
    this.chosen = Math.max(0, data.habits.indexOf(data.rings[0] ?? data.habits[data.order[0]]));
    this.marks = new Marks();
    this.text = new StepText();
    this.cards = new Cards((habit) => this.choose(habit), () => this.chain.open());
    this.books = new Books();
    this.year = new Year((day) => this.select(day));
    this.trend = new Trend();
    this.month = new Month((day) => this.select(day));
    this.day = new DayList();
    this.chain = new Chain((step) => this.goTo(step));
    this.slider = byId("slider");
    this.slider.min = data.begins;
    this.slider.max = data.steps.length;
    for (const id of ["year-part", "days-part", "trend-part", "book-part"]) byId(id).hidden = data.order.length === 0;
    this.timer = null;
    setText(byId("title"), data.title);
    this.listen();
    this.begin();
    const step = this.fromAddress();
    this.goTo(step ?? data.steps.length);
    // The page opens at today, even if the newest entry is of a later day.
    if (step === null && this.selected > this.ledger.own.get("today")) this.select(this.ledger.own.get("today"));
  }

  /** Says what is missing from a page that begins late. */
  begin() {
    if (data.begins === 0) return;
    this.ledger.goTo(data.begins);
    this.beginning = this.ledger.own.get("today");
    const before = plural(this.ledger.step.position, "event");
    const since = `This page begins as the ledger was on ${dayText(this.beginning)}, after ${before}.`;
    setText(byId("since"), `${since} They count in all that is shown, but the entries among them are not listed.`);
    byId("since").hidden = false;
  }

  listen() {
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)));
    const press = (id, action) => byId(id).addEventListener("click", action);
    press("first", () => this.goTo(data.begins));
    press("last", () => this.goTo(data.steps.length));
    press("step-before", () => this.goTo(this.ledger.at - 1));
    press("step-after", () => this.goTo(this.ledger.at + 1));
    press("change-before", () => this.goToChange(-1));
    press("change-after", () => this.goToChange(1));
    press("play", () => (this.timer ? this.pause() : this.play()));
    press("month-before", () => this.turn(-1));
    press("month-after", () => this.turn(1));
    press("headline", () => byId("step-part").scrollIntoView({ behavior: isCalm() ? "auto" : "smooth" }));
    // The contents of a closed part are created only when somebody opens it.
    for (const id of ["ids-part", "document"]) byId(id).addEventListener("toggle", () => this.show());
    addEventListener("hashchange", () => this.goTo(this.fromAddress() ?? this.ledger.at));
  }

  /** Returns the position in the address, such as 1204 in `report.html#1204`. */
  fromAddress() {
    const position = /^#(\d+)$/.exec(location.hash)?.[1];
    if (position === undefined) return null;
    return stepAfter(Number(position));
  }

  /** Moves to a step, and selects the day that the step is about. */
  goTo(step) {
    this.marks.lead(this.ledger, Math.max(data.begins, Math.min(data.steps.length, step)));
    this.selected = this.ledger.aboutDay;
    this.shown = dateOf(this.selected ?? data.steps.find((step) => step.day != null)?.day ?? 0);
    this.show();
  }

  /** Moves to the nearest step in a direction that changed the chosen habit, if there is one. */
  goToChange(direction) {
    const isChosen = ([habit]) => habit === this.chosen;
    const changes = (step) => [step.fields, step.days, step.book].some((part) => part?.some(isChosen));
    for (let at = this.ledger.at + direction; at > data.begins && at <= data.steps.length; at += direction) {
      if (changes(data.steps[at - 1])) return this.goTo(at);
    }
  }

  play() {
    if (this.ledger.at === data.steps.length) this.goTo(data.begins);
    this.timer = setInterval(() => {
      this.goTo(this.ledger.at + 1);
      if (this.ledger.at === data.steps.length) this.pause();
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
    setAttribute(byId("play"), "aria-pressed", String(isPlaying));
    for (const spoken of [byId("step-text"), byId("month-title")]) {
      setAttribute(spoken, "aria-live", isPlaying ? "off" : "polite");
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
  }

  /** Selects the same date some months later or earlier; the year follows. */
  turn(count) {
    const from = this.selected ?? dayNumber(this.shown.year, this.shown.month, 1);
    this.select(sameDate(from, this.shown.year, this.shown.month + count));
  }

  show() {
    const { ledger, chosen, marks, selected, shown } = this;
    const today = ledger.own.get("today");
    setText(byId("today"), today == null ? "" : `${weekdays[weekday(today)]}, ${longDay(today)}:`);
    this.slider.value = String(ledger.at);
    this.text.show(ledger, chosen);
    this.cards.show(ledger, chosen, marks);
    this.year.show(ledger, chosen, shown.year, selected, marks);
    this.trend.show(habitName(ledger, chosen), shown.year, this.year.sums);
    this.month.show(ledger, chosen, shown.year, shown.month, selected, marks);
    this.day.show(ledger, chosen, selected, this.beginning, marks);
    this.books.show(ledger, chosen);
    this.chain.show(ledger, chosen);
    this.showDocument();
    if (selected != null) this.year.reveal(selected);
  }

  showDocument() {
    if (byId("document").open) setText(byId("json"), JSON.stringify(stateDocument(this.ledger), null, 2));
  }
}

const page = new Page();
