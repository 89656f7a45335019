/** The number of days whose entries are loaded at once; the amounts that the person used last are among them. */
const recentDays = 14;

/** The words of the service for habits, achievements and signs, before they were read. */
const noWords = { cards: [], conditions: {}, meanings: [] };

/** What the service answered about a ledger, or what this browser stored of it. */
class Ledger {
  constructor({ id, state, settings, definitions, entries, asOf }) {
    Object.assign(this, { id, state: { words: noWords, ...state }, settings, definitions, asOf });
    /** The entries of each day that was loaded. */
    this.entries = entries;
    this.isStored = false;
  }

  /** Today of the ledger; without a connection, according to this device's clock in the ledger's zone. */
  get today() {
    return this.isStored && this.clockDay > this.state.today ? this.clockDay : this.state.today;
  }

  get clockDay() {
    const [hours, minutes] = this.settings.dayStart.split(":").map(Number);
    return localTime(offsetOf(this.state.zone) - hours * 60 - minutes).slice(0, 10);
  }

  /** Whether it is known that somebody defined or logged something today. */
  get hasToday() {
    const { today } = this.state;
    const definitions = this.definitions.flatMap((habit) => habit.definitions);
    const isOfToday = ({ at = "", day }) => (at || day).slice(0, 10) >= today;
    return [...definitions, ...[...this.entries.values()].flat()].some(isOfToday);
  }

  /** The state before a tap, and what decides how many events the tap records. */
  get snapshot() {
    return { ...this.state, hasToday: this.hasToday };
  }

  habit(id) {
    return this.state.habits.find(({ habit }) => habit === id);
  }

  /** Returns the definition of a habit in force on a day. */
  definition(id, day = this.today) {
    const all = this.history(id).filter(({ rule }) => rule);
    return all.findLast((definition) => definition.day <= day) ?? all[0];
  }

  /** Returns the definitions and the retirements of a habit. */
  history(id) {
    return this.definitions.find(({ habit }) => habit === id)?.definitions ?? [];
  }

  /** Adds an entry that was recorded, unless it was read meanwhile. */
  add(entry) {
    const entries = this.entries.get(entry.day);
    if (entries && !entries.some(({ id }) => id === entry.id)) this.entries.set(entry.day, [...entries, entry]);
  }

  entriesOf(habit, day) {
    return (this.entries.get(day) ?? []).filter((entry) => entry.habit === habit);
  }

  /** Returns the entries of a habit on all loaded days, newest first. */
  recentEntries(habit) {
    return [...this.entries.keys()].sort().reverse().flatMap((day) => this.entriesOf(habit, day).toReversed());
  }
}

/** The ledger that is shown, or `null` before it is loaded. */
let ledger = null;
let loading = Promise.resolve();

/** Loads the ledger, one time after the other, so that no late answer replaces a newer one; throws a `Problem`. */
function loadLedger(parts) {
  loading = loading.catch(() => {}).then(() => loadParts(parts));
  return loading;
}

/** Loads the given parts, the entries of `day`, and the state unless an answer had it. */
async function loadParts({ day, state, parts = ["definitions", "entries"] } = {}) {
  // Meanwhile a newer one can have been loaded.
  if (state?.position < ledger?.state.position) state = ledger.state;
  const from = plusDays(localTime(offsetOf()).slice(0, 10), -recentDays);
  const wants = (part) => parts.includes(part) || !ledger;
  const [streaks, cards, settings, definitions, recent, ofDay] = await Promise.all([
    state ? { document: state, ledger: ledger.id } : read("/v1/streaks"),
    read("/cards.json").catch(() => null),
    wants("definitions") ? read("/v1/settings") : null,
    wants("definitions") ? read("/v1/definitions") : null,
    wants("entries") ? read(`/v1/entries?from=${from}`) : null,
    day && day < from && wants("entries") ? read(`/v1/entries?from=${day}&to=${day}`) : null,
  ]);
  const id = streaks.ledger;
  // Another ledger needs all parts.
  if (ledger && ledger.id !== id && parts.length < 2) return loadParts({ day });

  // Without new words a card keeps what it said.
  const words = cards?.document ?? ledger?.state.words ?? noWords;
  const cardOf = (id) => words.cards.find(({ habit }) => habit === id);
  // A habit whose definition was undone has no card.
  const defined = streaks.document.habits.filter(({ habit }) => !cards || cardOf(habit));
  const habits = defined.map((habit) => ({ ...habit, card: cardOf(habit.habit) }));
  const entries = recent ? byDay(recent.document.entries, from) : new Map(ledger.entries);
  if (ofDay) entries.set(day, ofDay.document.entries);
  ledger = new Ledger({
    id, entries, state: { ...streaks.document, habits, words }, asOf: Date.now(),
    settings: settings ? settings.document : ledger.settings,
    definitions: definitions ? definitions.document.habits : ledger.definitions,
  });
  stored("ledgers", "readwrite", (store) => store.put({ ...ledger })).catch(() => {});
}

/** Sorts entries by day; of each day since `from` it is known that it has no others. */
function byDay(entries, from) {
  const days = new Map();
  for (let day = from; day <= plusDays(from, recentDays + 1); day = plusDays(day, 1)) days.set(day, []);
  for (const entry of entries) days.set(entry.day, [...(days.get(entry.day) ?? []), entry]);
  return days;
}

/** Loads the entries of a day unless they are known. */
async function loadDay(day) {
  const current = ledger;
  if (current.entries.has(day)) return;
  const { document } = await read(`/v1/entries?from=${day}&to=${day}`);
  current.entries.set(day, document.entries);
}

/** Shows the ledger that this browser stored last. */
async function restoreLedger() {
  const all = await stored("ledgers", "readonly", (store) => store.getAll());
  const last = all.sort((a, b) => a.asOf - b.asOf).at(-1);
  if (last) ledger = new Ledger(last);
}
