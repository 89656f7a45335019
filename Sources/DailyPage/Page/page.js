/** The page: the chosen day, and the road of a tap from a button to its answer. */
class Page {
  constructor() {
    /** The chosen day, or `null` for today. */
    this.chosen = null;
    /** Why the service did not answer, or `null`. */
    this.problem = null;
    /** The ids of this page's events, and of those the first ones of taps that were answered. */
    this.own = new Set();
    this.answered = new Set();
    this.answer = new Answer();
    byId("before").addEventListener("click", () => this.choose(plusDays(this.day, -1)));
    byId("after").addEventListener("click", () => this.choose(plusDays(this.day, 1)));
    byId("today").addEventListener("click", () => this.choose(ledger.today));
    byId("new-habit").addEventListener("click", () => askHabit());
    byId("excuse").addEventListener("click", () => askExcuse());
    byId("history").addEventListener("click", (event) => this.openHistory(event));
  }

  /** Leads to the history, which isn't stored in this browser, unless the service does not answer. */
  openHistory(event) {
    if (!this.problem) return;
    event.preventDefault();
    this.answer.show(`The history needs a connection: ${this.problem.message}`);
  }

  get day() {
    return this.chosen ?? ledger.today;
  }

  async choose(day) {
    this.chosen = day === ledger.today ? null : day;
    this.show();
    await loadDay(this.day).catch(() => {});
    this.show();
  }

  show() {
    byId("app").hidden = !ledger;
    this.showConnection();
    if (!ledger) return;
    byId("begin").hidden = true;
    document.querySelector("nav").hidden = false;
    const isToday = this.day === ledger.today;
    const { zone } = ledger.state;
    const time = isToday && offsetOf(zone) !== offsetOf() ? `, ${clockTime(Date.now(), zone)} in ${zone}` : "";
    setText(byId("day"), `${isToday ? "Today, " : ""}${longDay(this.day)}${time}`);
    byId("days").classList.toggle("past", !isToday);
    byId("today").hidden = isToday;
    byId("after").disabled = isToday;
    // What an answer calls today was the day before.
    if (this.answer.today !== ledger.today) this.answer.show("");
    this.showQueue();
    showParty(byId("party"), ledger.state.celebrations.filter((key) => !habitOf(key)));
    cards.show();
    showAchievements();
  }

  showConnection() {
    const time = ledger && new Date(ledger.asOf).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
    const asOf = ledger ? ` You see the ledger as of ${time}.` : "";
    setText(byId("connection"), this.problem ? sentence(this.problem.message) + asOf : "");
  }

  showQueue() {
    const { waiting, refused, others, problem } = queue;
    const count = (list, words) => (list.length > 0 ? [`${list.length} ${words}`] : []);
    const counts = [...count(waiting, "waiting to be sent"), ...count(refused, "refused")].join(", ");
    const reason = waiting.length > 0 && problem?.status > 0 ? `: ${problem.message}` : "";
    setText(byId("waiting"), counts + reason);
    setText(byId("others"), others > 0 ? `${others} of another ledger wait in this browser.` : "");
    const taps = [...waiting, ...refused];
    byId("queue-part").hidden = taps.length === 0;
    const key = JSON.stringify([ledger.today, taps], ["number", "reason"]);
    fill(byId("queue"), key, () => taps.map((tap) => this.tapRow(tap)));
  }

  tapRow(tap) {
    const text = this.textOf(tap);
    const button = (name, action) => makeButton(name, action, { "aria-label": `${name}: ${text}` });
    const again = tap.reason && button("Send again", () => queue.retry(tap));
    const remove = button("Remove", () => queue.remove(tap));
    const reason = tap.reason && make("small", { text: tap.reason, attributes: { class: "problem" } });
    return make("li", { children: [make("span", { text }), reason, again, remove].filter(Boolean) });
  }

  /** Says that a tap was removed, here or in another tab, instead of what the answer said of it. */
  onRemoved(tap) {
    this.answered.add(tap.event);
    this.answer.show(`Removed: ${this.textOf(tap)}.`);
  }

  /** Says that a tap was refused, whatever the answer said of it before. */
  async onRefused(tap) {
    this.answer.show(`Refused: ${this.textOf(tap)}. ${sentence(tap.reason)}`);
    // What it was about is not as the page shows it.
    await this.load({ day: this.chosen });
    this.show();
  }

  /** Returns what a tap is about, such as `Reading: 20 pages, yesterday`. */
  textOf({ habit, text, day, isOfDay }) {
    return `${habit ? `${nameOf(habit)}: ${text}` : capital(text)}${isOfDay ? `, ${dayText(day)}` : ""}`;
  }

  /** Returns an event: its day is the one that was shown, its time has an offset, and it has no zone. */
  event(type, fields) {
    const day = type === "entry.logged" ? this.day : ledger.today;
    const id = newId();
    this.own.add(id);
    return { id, type, at: timestamp(day), day, ...fields };
  }

  /** Records an event of one tap. */
  tap(type, fields, text, { habit, day } = fields) {
    const event = this.event(type, fields);
    const isOfDay = type.startsWith("entry.");
    const lack = type === "entry.logged" && !fields.key ? reasonNotCounted(fields, event.day) : "";
    return this.send({ events: [event], habit, text, day: day ?? event.day, isOfDay, lack });
  }

  /** Stores a tap, and returns once it is on the disk; then it is sent. */
  async send(tap) {
    let stored;
    try {
      stored = await queue.add(tap);
    } catch (error) {
      return this.answer.show(`This browser could not store it: ${error.message}`);
    }
    this.deliver(stored);
  }

  async deliver(tap) {
    const before = ledger.snapshot;
    const showing = setTimeout(() => this.show(), 1000);
    await queue.send();
    clearTimeout(showing);
    const left = queue.taps.find(({ number }) => number === tap.number);
    // Another tab can have sent it, or removed it.
    if (!left && !this.answered.has(tap.event)) return this.onSent([tap], before);
    if (tap.isQuiet || !left || left.reason) return;
    const text = `${this.textOf(tap)}: stored in this browser, and sent as soon as possible.`;
    this.answer.show(text, () => queue.remove(tap));
  }

  /** Answers taps that were recorded. */
  async onSent(taps, before, state) {
    for (const { event } of taps) this.answered.add(event);
    const shown = taps.filter((tap) => !tap.isQuiet);
    const last = shown.at(-1);
    const events = taps.flatMap((tap) => JSON.parse(new TextDecoder().decode(tap.body)));
    const isPlain = ({ type, key }) => type === "celebration.seen" || (type === "entry.logged" && !key);
    // Recorded entries need not be read again; deletions and replacements change others.
    if (events.every(isPlain)) events.filter(({ habit }) => habit).forEach((entry) => ledger.add(entry));
    // A day can end while a tap is sent, so its day is named by the ledger's new today.
    const text = () => last && this.textOf(last);
    const words = () => last && (shown.length > 1 ? `${shown.length} sent, the last: ` : "") + text();
    const parts = { day: this.chosen, state, parts: events.every(isPlain) ? [] : ["entries"] };
    // After several taps the answer names each habit that changed, because no single tap changed them all.
    const { event, habit, day, lack } = shown.length > 1 ? { event: last.event } : (last ?? {});
    await this.answerTo(words, { event, habit, day, lack, before, parts, text, count: events.length });
  }

  /** Loads what may have changed, and shows an answer with the changes; celebrations are shown after taps, not after undos. */
  async answerTo(words, answered) {
    const { event, habit, day, lack, before, parts = { day: this.day }, text = words, isUndo = false, count = 1 } = answered;
    // The first command of a day also records that the day began.
    const counts = before.hasToday ? [count] : [count, count + 1];
    const month = habit && day < ledger.today && cards.card(habit).month;
    const was = month && month.days.get(monthOf(day))?.get(day);
    await this.load(parts);
    const is = month && (await month.read(monthOf(day)))?.get(day);
    const said = words();
    const changes = changesBetween(before, ledger.state, habit, counts, !isUndo);
    // Such as “Yesterday: good → bad (slip)”, or without the former verdict if no month was read.
    const verdicts = [...new Set([was, is].filter(Boolean).map(verdictWords))];
    if (is) changes.unshift(`${capital(dayText(day))}: ${verdicts.join(" → ")}`);
    if (lack) changes.unshift(lack);
    const first = habit && firstDayOf(habit);
    if (day < first) changes.push(`${nameOf(habit)} begins on ${longDay(first)}; earlier days count for nothing`);
    this.show();
    const undo = event && (() => this.undo(event, text(), habit, day));
    const restores = isUndo && said.startsWith("Undone: ");
    if (said) this.answer.show([said, ...changes].map((one) => `${one}.`).join(" "), undo, restores);
  }

  async undo(event, text, habit, day) {
    const before = ledger.snapshot;
    try {
      const headers = { "Streaks-Ledger": ledger.id, ...withStreaks };
      const { document } = await post("/v1/undo", { event }, headers);
      const isUndone = text.startsWith("Undone: ");
      const said = isUndone ? text.replace("Undone", "Restored") : `Undone: ${text.replace("Restored: ", "")}`;
      const parts = { day: this.day, state: document.streaks };
      const results = document.results ?? [];
      const undone = { event: results[0]?.id, count: results.length, habit, day, before, parts, isUndo: true };
      await this.answerTo(() => said, undone);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      const retry = problem.type !== "not-undone" && (() => this.undo(event, text, habit, day));
      this.answer.show(`Not undone: ${sentence(problem.message)}`, retry);
      if (!retry) await this.refresh();
    }
  }

  /** Loads the ledger, or without an answer the one that this browser stored; returns whether it was loaded. */
  async load(parts) {
    // An undo or a correction may have removed the reason for what was marked as seen.
    if (parts.parts?.length !== 0) shownParties.clear();
    try {
      await loadLedger(parts);
      this.problem = null;
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (problem.type === "no-ledger" && !ledger) return showBegin();
      this.problem = problem;
      if (!ledger) await restoreLedger().catch(() => {});
      if (ledger) ledger.isStored = true;
    }
    for (const { isOpen, month } of cards.cards.values()) isOpen ? month.load() : month.days.clear();
  }

  /** Adds to the answer what other programs and devices changed since `before`; its Undo stays that of the tap. */
  showOthers(before) {
    if (!before || before.id !== ledger.id || before.state.today !== ledger.state.today) return;
    const counts = [ledger.state.position - before.state.position];
    const changes = changesBetween(before.state, ledger.state, undefined, counts, false);
    if (changes.length > 0) this.answer.add(` Changed elsewhere: ${changes.join("; ")}.`);
  }

  /** Loads everything again, says what others changed, and sends what waits; what is open, the day and the focus stay. */
  async refresh() {
    clearTimeout(this.timer);
    const before = ledger;
    // What this page sent meanwhile has an answer of its own.
    const sent = () => this.own.size + this.answered.size;
    const [sentBefore, isSending] = [sent(), queue.taps.some((tap) => !tap.reason)];
    await this.load({ day: this.chosen });
    if (!isSending && sent() === sentBefore) this.showOthers(before);
    if (this.problem || !ledger) this.timer = setTimeout(() => this.refresh(), 10000);
    this.show();
    if (!ledger) return;
    const refused = await queue.refresh();
    if (refused) await this.onRefused(refused);
    if (!this.problem && queue.taps.some((tap) => !tap.reason)) await queue.send();
  }
}

// The last card can be scrolled above the footer, however high that is.
const footer = document.querySelector("footer");
new ResizeObserver(() => (document.body.style.paddingBottom = `${footer.offsetHeight + 32}px`)).observe(footer);

// After scrolling, the answer moves from over the cards to the end of the page.
for (const type of ["wheel", "touchmove"]) byId("main").addEventListener(type, () => footer.classList.add("read"), { passive: true });

const order = new Order();
const cards = new Cards();
const page = new Page();
const queue = new Queue();

page.refresh();
// This page's own taps are answered already.
new Listener(() => page.refresh(), (event) => page.own.has(event));
navigator.serviceWorker?.register("/sw.js");
navigator.storage?.persist?.();

addEventListener("online", () => page.refresh());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && page.refresh());
// A day can end while the page is open; the service's clock can be behind this browser's.
setInterval(() => {
  if (ledger?.clockDay > ledger?.state.today && Date.now() - ledger.asOf > 30000) page.refresh();
}, 5000);
