/** The page as a whole: where the slider stands, which habit and which day are chosen. */
class Page {
  constructor() {
    this.ledger = new Ledger();
    this.chosen = Math.max(0, data.habits.indexOf(data.rings[0] ?? data.habits[data.order[0]]));
    this.cards = new Cards((habit) => this.choose(habit));
    this.books = new Books();
    this.year = new Year((day) => this.select(day));
    this.month = new Month((day) => this.select(day));
    this.day = new DayList();
    this.slider = byId("slider");
    this.slider.min = data.begins;
    this.slider.max = data.steps.length;
    for (const id of ["year-part", "book-part"]) byId(id).hidden = data.order.length === 0;
    this.timer = null;
    setText(byId("title"), data.title);
    this.listen();
    this.begin();
    this.goTo(this.fromAddress() ?? data.steps.length);
  }

  /** Says what is not in a page that begins late. */
  begin() {
    if (data.begins === 0) return;
    this.ledger.goTo(data.begins);
    this.beginning = this.ledger.own.get("today");
    const before = plural(this.ledger.step.position, "event");
    const since = `This page begins as the ledger stood on ${dayText(this.beginning)}, after ${before}.`;
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
    byId("document").addEventListener("toggle", () => this.showDocument());
    addEventListener("hashchange", () => this.goTo(this.fromAddress() ?? this.ledger.at));
  }

  /** The position that the address names, as in `report.html#1204`. */
  fromAddress() {
    const position = /^#(\d+)$/.exec(location.hash)?.[1];
    if (position === undefined) return null;
    const after = data.steps.findIndex((step) => step.position > Number(position));
    return after < 0 ? data.steps.length : after;
  }

  goTo(step) {
    this.ledger.goTo(Math.max(data.begins, Math.min(data.steps.length, step)));
    const today = this.ledger.own.get("today");
    this.selected = today;
    if (today != null) this.shown = dateOf(today);
    this.shown ??= dateOf(data.steps.find((step) => step.day != null)?.day ?? 0);
    this.show();
  }

  /** To the nearest step in a direction that changed the chosen habit; nowhere if there is none. */
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
    }, 100);
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
    for (const spoken of [byId("event").parentElement, byId("month-title")]) {
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

  turn(months) {
    this.shown = dateOf(dayNumber(this.shown.year, this.shown.month + months, 1));
    this.show();
  }

  show() {
    this.cards.show(this.ledger, this.chosen);
    this.year.show(this.ledger, this.chosen, this.shown.year, this.selected);
    this.month.show(this.ledger, this.shown.year, this.shown.month, this.selected);
    this.day.show(this.ledger, this.selected, this.beginning);
    this.books.show(this.ledger, this.chosen);
    this.showEvent();
    this.showDocument();
    if (this.selected != null) this.year.reveal(this.selected);
  }

  showEvent() {
    const step = this.ledger.step;
    const today = dayText(this.ledger.own.get("today"));
    const last = data.steps.at(-1)?.position ?? 0;
    const isBeginning = this.ledger.at === data.begins;
    let words = "The empty ledger";
    if (step?.id) {
      const says = step.says ? ` · ${step.says}` : "";
      words = `${step.position} of ${last} · ${dayText(step.day)} · ${step.type}${says}`;
    } else if (step) {
      words = isBeginning ? `As it stood after ${plural(step.position, "event")}` : `${today} · after the newest event`;
    }
    setText(byId("event"), words);
    setText(byId("told"), isBeginning ? "" : toldChanges(this.ledger).join(" · ") || "changed nothing");
    setText(byId("summary"), today ? `${today} · ${this.ledger.own.get("zone")} · ${plural(step.position, "event")}` : "");
    this.slider.value = String(this.ledger.at);
    setAttribute(this.slider, "aria-valuetext", words);
  }

  showDocument() {
    if (byId("document").open) setText(byId("json"), JSON.stringify(stateDocument(this.ledger), null, 2));
  }
}

const page = new Page();
