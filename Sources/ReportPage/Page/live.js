/** What to do where the page cannot go on by what it is sent. */
const again = "make the report again";

/** What the server says by a status instead of sending changes. */
const refusals = {
  401: "log in, and open the page again",
  403: "this login may not read the changes",
  404: "there are no changes at this address",
  409: `something was changed in the past that this page shows; ${again}`,
};

/** How long to wait until the server is asked again, in milliseconds. */
const pause = 5000;

/** A message that cannot be added to the page. */
class Unfit extends Error {}

/** Turns messages into steps of the page's own form; what they do not say is left out. */
class Messages {
  constructor() {
    /** The state at the end, wherever the slider is. */
    this.end = new Ledger();
    this.end.goTo(data.steps.length);
  }

  get position() {
    return data.steps.at(-1)?.position ?? 0;
  }

  /** The step that a message makes; it is not added yet. */
  step(message) {
    if (message.late) throw new Unfit(`something was recorded before what this page shows; ${again}`);
    if (message.position !== this.position + 1) throw new Unfit(`an event before the newest is missing; ${again}`);
    const step = { id: message.event, position: message.position, recorded: message.recorded };
    Object.assign(step, { day: dayOf(message.day), type: message.type, says: message.type });
    const fields = this.fields(message, step);
    if (step.type === "habit.defined" && !this.definesHabit(message)) throw new Unfit(`a habit was defined again; ${again}`);
    step.fields = [...fields].map(([habit, values]) => [habit, ...values]);
    step.book = message.books.map(({ habit, removed, added }) => [numberOf(habit), removed.map(bookLine), added.map(bookLine)]);
    this.addEntry(message, step);
    step.days = this.days(message, step);
    this.addLists(message, step);
    return step;
  }

  /** By habit, number and value of each field that changed; those of the ledger go into the step. */
  fields({ changes }, step) {
    const fields = new Map();
    step.own = [];
    for (const { path, after } of changes) {
      const own = data.ledgerFields.indexOf(path);
      if (own >= 0) step.own.push(own, fieldValue(path, after));
      if (own >= 0) continue;
      const place = data.habitFields.findIndex((name) => path.endsWith(`.${name}`));
      if (place < 0) throw new Unfit(`this page does not know ${visible(path)}; ${again}`);
      const name = data.habitFields[place];
      const habit = numberOf(path.slice(0, -name.length - 1));
      if (!fields.has(habit)) fields.set(habit, []);
      fields.get(habit).push(place, fieldValue(name, after));
      // Of what a new habit's quota is, no message says.
      const isNewQuota = name === "quota.times" && after !== null && this.end.field(habit, "per") === null;
      if (isNewQuota) fields.get(habit).push(data.habitFields.indexOf("per"), "period");
    }
    return fields;
  }

  definesHabit({ changes }) {
    return changes.some(({ path, before }) => path.endsWith(".name") && before === null);
  }

  /** An entry is of the habit whose entries it makes more; which one was deleted, no message says. */
  addEntry({ type, changes }, step) {
    const counted = changes.filter(({ path }) => path.endsWith(".totals.entries"));
    const habits = counted.map(({ path }) => numberOf(path.slice(0, -".totals.entries".length)));
    if (type === "entry.logged" && habits.length === 1) Object.assign(step, { entry: habits[0], says: undefined });
    if (type === "entry.deleted") step.hides = habits;
  }

  /**
   * The days that look different. A message says verdicts: where what is behind one may be another now, the verdict is all
   * that is shown.
   */
  days({ type, verdicts }, { fields, book, day }) {
    const cells = new Map();
    const set = (habit, number, cell) => cells.set(habit, (cells.get(habit) ?? new Map()).set(number, cell));
    const strip = (habit, number) => {
      const verdict = this.end.day(habit, number)?.verdict;
      if (verdict) set(habit, number, cellOf(verdict));
    };
    const habits = data.habits.keys();
    if (type === "entry.logged") for (const habit of habits) strip(habit, day);
    if (type === "entry.deleted") {
      for (const [habit] of fields) for (const number of this.end.days[habit].keys()) strip(habit, number);
    }
    for (const [habit, ...lines] of book) for (const [number] of lines.flat()) strip(habit, number);
    for (const { habit, day, after } of verdicts) set(numberOf(habit), dayOf(day), after === null ? null : cellOf(after));
    const isNew = (habit) => ([number, cell]) => (this.end.days[habit].get(number) ?? null) !== cell;
    return [...cells].map(([habit, days]) => [habit, ...[...days].filter(isNew(habit)).flat()]).filter((days) => days.length > 1);
  }

  /** Achievements by their keys; celebrations that wait are not in a message, so none is shown. */
  addLists({ achievements: { unlocked, revoked } }, step) {
    const [list, waiting] = ["achievements", "celebrations"].map((name) => this.end.own.get(name));
    if (waiting.length > 0) step.celebrations = [0, waiting.length];
    if (unlocked.length + revoked.length === 0) return;
    const kept = list.flatMap(({ key }, place) => (revoked.includes(key) ? [] : [place]));
    const added = unlocked.map((key) => ({ key, on: "", xp: 0, because: [] }));
    step.achievements = [0, list.length, ...kept, ...added];
  }
}

/** A day's number from YYYY-MM-DD. */
const dayOf = (text) => Math.round(Date.parse(`${text}T00:00:00Z`) / 86400000);

/** The value of a field in the form of a step. */
function fieldValue(name, value) {
  if (value === null) return null;
  if (dayFields.has(name)) return dayOf(value);
  return wordFields.has(name) ? place(data.words, value) : value;
}

/** The place of an item in a list, to which it is added if need be. */
function place(list, item, isEqual = (other) => other === item) {
  const known = list.findIndex(isEqual);
  return known < 0 ? list.push(item) - 1 : known;
}

/** The number of the cell that has a verdict alone. */
const cellOf = (verdict) => place(data.cells, [verdict, verdict, null], ([one, outcome, lot]) =>
  one === verdict && outcome === verdict && lot === null);

/** A habit's number; a new one is added to all that has a place for each. */
function numberOf(habit) {
  const number = place(data.habits, habit);
  if (number < page.ledger.fields.length) return number;
  for (const ledger of [page.ledger, live.messages.end]) {
    for (const list of [ledger.fields, ledger.days, ledger.books]) list.push(new Map());
  }
  page.cards.cards.push(new Cards((chosen) => page.choose(chosen)).cards.at(-1));
  page.day.rows.push(make("li"));
  page.marks.days.push(new Map());
  return number;
}

/** A line of the joker book in the form of a step. */
function bookLine({ day, action, lot, held }) {
  return [dayOf(day), data.actions.indexOf(action), lot === null ? null : Number(lot.slice(lot.lastIndexOf("/") + 1)), held];
}

/** Follows the ledger: each new event becomes a step at the end of the slider. */
class Live {
  constructor() {
    this.after = data.live.after;
    this.made = data.steps.length;
    this.sign = make("p", { attributes: { id: "live", class: "soft", role: "status" } });
    this.unlisted = make("p", { attributes: { id: "unlisted", class: "soft" } });
    byId("since").parentElement.append(this.sign);
    byId("day").parentElement.append(this.unlisted);
  }

  begin() {
    // The days after the newest event are shown until another event says more.
    const isToday = data.steps.length > data.begins && data.steps.at(-1).id === undefined;
    this.today = isToday ? data.steps.at(-1) : null;
    if (isToday) this.made = data.steps.length - 1;
    const last = isToday ? data.steps.pop() : null;
    this.messages = new Messages();
    if (last) data.steps.push(last);
    this.extend(page, "show", () => this.show());
    this.extend(page, "showDocument", () => this.showDocument());
    const listed = page.ledger.entries.bind(page.ledger);
    page.ledger.entries = (habit, number) => (this.isUnlisted(habit) ? [] : listed(habit, number));
    this.connect();
  }

  extend(object, name, more) {
    const own = object[name].bind(object);
    object[name] = () => (own(), more());
  }

  connect() {
    this.say("connecting…");
    const source = new EventSource(this.address, { withCredentials: true });
    this.source = source;
    source.onopen = () => this.say("live");
    source.onmessage = (message) => this.receive(message.data);
    // It connects again by itself, but not after an answer that is none.
    source.onerror = () => (source.readyState === 2 ? this.ask() : this.say("connecting…"));
  }

  get address() {
    return `${data.live.url}?after=${encodeURIComponent(this.after)}`;
  }

  /** Asks what the answer was, which an EventSource does not say. */
  async ask() {
    const options = { method: "HEAD", credentials: "include", cache: "no-store" };
    const status = await fetch(this.address, options).then((answer) => answer.status, () => 0);
    if (status >= 400 && status < 500) return this.say(`not live: ${refusals[status] ?? `the server answers ${status}`}`);
    const isThere = status === 200 ? "connecting…" : `not live: the server answers ${status}; it is asked again`;
    this.say(status > 0 ? isThere : "not live: the server cannot be reached from this page; it is asked again");
    setTimeout(() => this.connect(), pause);
  }

  say(words) {
    setText(this.sign, words);
  }

  stop(words) {
    this.source.close();
    this.say(`not live: ${words}`);
  }

  receive(line) {
    try {
      const message = JSON.parse(line);
      if (!placeById.has(message.event)) this.add(this.messages.step(message));
      this.after = message.cursor ?? this.after;
    } catch (error) {
      this.stop(error instanceof Unfit ? error.message : `this page cannot read what the server sent; ${again}`);
    }
  }

  add(step) {
    const { ledger } = page;
    const isAtEnd = ledger.at === data.steps.length;
    this.endToday();
    data.steps.push(step);
    placeById.set(step.id, data.steps.length - 1);
    if (step.entry !== undefined) {
      const key = `${step.entry}/${step.day}`;
      entriesByDay.set(key, [...(entriesByDay.get(key) ?? []), data.steps.length - 1]);
    }
    this.messages.end.goTo(data.steps.length);
    const isNamed = (habit) => this.messages.end.field(habit, "name") !== null;
    for (const [habit] of step.fields) if (isNamed(habit) && !data.order.includes(habit)) data.order.push(habit);
    this.widen(step);
    page.slider.max = data.steps.length;
    if (isAtEnd) page.goTo(data.steps.length);
    else page.show();
  }

  /** Takes away the days after the newest event, for there is a newer one. */
  endToday() {
    if (!this.today) return;
    this.today = null;
    page.ledger.goTo(Math.min(page.ledger.at, this.made));
    data.steps.pop();
  }

  /** Years and parts for which there was nothing before. */
  widen(step) {
    for (const id of ["year-part", "days-part", "trend-part", "book-part"]) byId(id).hidden = data.order.length === 0;
    const numbers = step.days.flatMap(([, ...days]) => days.filter((_, i) => i % 2 === 0));
    const [first, last] = [Math.min(span[0], ...numbers), Math.max(span[1], ...numbers)];
    if (first === span[0] && last === span[1]) return;
    [span[0], span[1]] = [first, last];
    byId("years").replaceChildren();
    page.year.addYears();
  }

  get isBeyond() {
    return page.ledger.at > this.made && page.ledger.step !== this.today;
  }

  isUnlisted(habit) {
    return data.steps.slice(this.made, page.ledger.at).some((step) => step.hides?.includes(habit));
  }

  show() {
    const unlisted = page.ledger.habits.filter((habit) => this.isUnlisted(habit)).map((habit) => habitName(page.ledger, habit));
    const words = `An entry was deleted after this page was made; those of ${unlisted.join(", ")} are not listed.`;
    setText(this.unlisted, unlisted.length > 0 ? words : "");
    // A zone is in no message.
    const events = plural(page.ledger.step?.position ?? 0, "event");
    if (this.isBeyond) setText(byId("summary"), `${dayText(page.ledger.own.get("today"))} · ${events}`);
  }

  showDocument() {
    if (!byId("document").open || !this.isBeyond) return;
    setText(byId("json"), `After this page was made; \`streaks replay --json --at ${page.ledger.step.position}\` prints it.`);
  }
}

const live = new Live();
live.begin();
