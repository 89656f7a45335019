/** What the page shows: its steps, and lists of which steps have indexes. */
let data;

/** The entries and other events of steps by their ids, the entries of a habit's day, each with the index of its step,
 * the index of the step that deleted an entry, and the entries that held a key, in stream order. */
const lineById = new Map();
const entriesByDay = new Map();
const deletions = new Map();
const holders = new Map();

/** Returns the key of an entry in `holders`; an entry without a key belongs to the one that is its id. */
const holderKey = (line) => `${line.entry}/${line.key ?? line.id}`;

/** Returns the list of a key, which a map gets if it has none. */
const listIn = (map, key) => map.get(key) ?? map.set(key, []).get(key);

/** The first and the last day of all habits. */
const span = [Infinity, -Infinity];

/** Reads the data of a page: pieces with steps, then the data that all steps share. */
function read(pieces) {
  data = { ...pieces.at(-1), steps: pieces.flatMap(({ steps }) => steps ?? []) };
  for (const map of [lineById, entriesByDay, deletions, holders]) map.clear();
  span.splice(0, 2, Infinity, -Infinity);
  data.steps.forEach(readStep);
}

function readStep(step, place) {
  step.position ??= (data.steps[place - 1]?.position ?? 0) + 1;
  for (const [, ...days] of step.days ?? []) {
    for (let i = 0; i < days.length; i += 2) {
      if (days[i] < span[0]) span[0] = days[i];
      if (days[i] > span[1]) span[1] = days[i];
    }
  }
  if (step.id === undefined) return;
  step.type ??= "entry.logged";
  for (const line of step.lines ?? [step]) {
    lineById.set(line.id, line);
    const key = `${line.entry}/${line.day}`;
    if (line.entry !== undefined) listIn(entriesByDay, key).push({ place, line });
    if (line.key !== undefined && !line.stale) listIn(holders, holderKey(line)).push({ place, line });
    // The first deletion counts; another device may delete the same entry again.
    if (line.deleted !== undefined && !deletions.has(line.deleted)) deletions.set(line.deleted, place);
  }
}

const piecesIn = (lines) => lines.trim().split("\n").map((line) => JSON.parse(line));

read(piecesIn(document.getElementById("data").textContent));

const lastPosition = () => data.steps.at(-1)?.position ?? 0;

/** Returns the position of a step's first event. */
const firstPosition = (step) => step.position - (step.count ?? 1) + 1;

/** Returns the step that shows the state after a number of events, or after the step that contains the last of them. */
function stepAfter(position) {
  const after = data.steps.findIndex((step) => (step.id === undefined ? step.position : firstPosition(step)) > position);
  return after < 0 ? data.steps.length : after;
}

const dayLength = 86400000;

/** Returns the days since 1970-01-01 as YYYY-MM-DD. */
const dayText = (number) => (number == null ? null : new Date(number * dayLength).toISOString().slice(0, 10));

/** Returns the days since 1970-01-01 of a year, a month (from 0) and a day of the month. */
const dayNumber = (year, month, date) => Math.round(Date.UTC(year, month, date) / dayLength);

const lineKey = ([day, action, lot]) => `${day}/${action}/${lot}`;

/** The actions of the joker book, in the order in which they occur within a day. */
const actionOrder = ["earned", "forfeited", "spent", "penalised"];

const lineOrder = (a, b) => a[0] - b[0] || actionOrder.indexOf(a[1]) - actionOrder.indexOf(b[1]) || a[2] - b[2];

/** Sets a value in a map, or deletes the key if the value is undefined. */
function put(map, key, value) {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

/**
 * The state at one step, computed by adding up the changes of the steps. Each change stores the values before and
 * after it, so a step is decoded once, and moving back is as fast as moving forward.
 */
class Ledger {
  constructor() {
    this.at = 0;
    this.own = new Map([["achievements", []], ["zone", null], ["xp", 0]]);
    this.fields = data.habits.map(() => new Map());
    this.days = data.habits.map(() => new Map());
    this.books = data.habits.map(() => new Map());
    this.cards = new Map();
    /** The changes of each decoded step, as `[map, key, before, after]`. */
    this.read = [];
  }

  goTo(step) {
    while (this.at < step) this.forward();
    while (this.at > step) this.back();
  }

  forward() {
    const known = this.read[this.at];
    if (known) for (const [map, key, , after] of known) put(map, key, after);
    else this.read.push(this.changesOf(data.steps[this.at]));
    this.at += 1;
  }

  /** Applies the changes of the next step. */
  changesOf(step) {
    const changes = [];
    const set = (map, key, after) => {
      changes.push([map, key, map.get(key), after]);
      put(map, key, after);
    };
    for (const [habit, ...items] of step.fields ?? []) {
      const map = habit === null ? this.own : this.fields[habit];
      for (let i = 0; i < items.length; i += 2) set(map, data.fields[items[i]], items[i + 1]);
    }
    for (const [habit, ...card] of step.cards ?? []) set(this.cards, habit, card);
    for (const [habit, ...days] of step.days ?? []) {
      for (let i = 0; i < days.length; i += 2) set(this.days[habit], days[i], days[i + 1] ?? undefined);
    }
    for (const [habit, removed, added] of step.book ?? []) {
      for (const line of removed) set(this.books[habit], lineKey(line), undefined);
      for (const line of added) set(this.books[habit], lineKey(line), line);
    }
    if (step.achievements) {
      const [kept, ...items] = step.achievements;
      set(this.own, "achievements", [...this.own.get("achievements").slice(0, kept), ...items]);
    }
    if (step.zone) set(this.own, "zone", step.zone);
    return changes;
  }

  back() {
    this.at -= 1;
    for (const [map, key, before] of this.read[this.at].toReversed()) put(map, key, before);
  }

  /** Returns the current step, or undefined before the first one. */
  get step() {
    return data.steps[this.at - 1];
  }

  field(habit, name) {
    return this.fields[habit]?.get(name) ?? null;
  }

  /** Returns the indexes of the habits defined so far, in the order of their definitions. */
  get habits() {
    return data.order.filter((habit) => this.field(habit, "name") != null);
  }

  /** Returns a habit's day for the calendar, or null if the day was not folded. */
  day(habit, number) {
    return data.cells[this.days[habit]?.get(number)] ?? null;
  }

  /** Returns a habit's joker book in its order. */
  book(habit) {
    return [...(this.books[habit]?.values() ?? [])].sort(lineOrder);
  }

  /** Returns the day's entries that are neither deleted nor replaced. */
  entries(habit, number) {
    const logged = entriesByDay.get(`${habit}/${number}`) ?? [];
    return logged.filter(({ place, line }) => place < this.at && !(deletions.get(line.id) < this.at))
      .map(({ line }) => line)
      .filter((line) => !this.isReplaced(line));
  }

  /** Whether another entry holds the entry's key, which may be one from before the page's first step: a `stale` entry
   * never held it. */
  isReplaced(line) {
    const holder = holders.get(holderKey(line))?.findLast(({ place }) => place < this.at);
    return Boolean(line.stale) || (holder !== undefined && holder.line !== line);
  }

  /** Returns the day of the current step: that of what was logged or deleted, otherwise today. */
  get aboutDay() {
    const step = this.step;
    if (step?.about !== undefined) return step.about;
    const entry = lineById.get(step?.deleted) ?? step;
    return (entry?.entry === undefined ? null : entry.day) ?? this.own.get("today");
  }

  /** Returns the changes of the current step, as `[map, key, before, after]`. */
  get changes() {
    return this.read[this.at - 1] ?? [];
  }
}
