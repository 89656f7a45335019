/** Returns why the service refused a tap, without ids and times. */
function refusalText({ type, message }, { body }) {
  if (type !== "bad-event") return message;
  const [{ entry, excuse }] = JSON.parse(new TextDecoder().decode(body));
  if (entry || excuse) return "It was replaced, deleted or withdrawn meanwhile.";
  return ledger.clockDay > ledger.state.today ? "The clock of this device or of the service is wrong." : message;
}

/** The taps of this browser: each is stored before it is sent, and removed once the service has recorded it. */
class Queue {
  constructor() {
    /** The taps of the ledger that is shown, in their order; those with a `reason` were refused. */
    this.taps = [];
    this.others = 0;
    /** Why the taps wait, or nothing if none does. */
    this.problem = null;
    this.failures = 0;
    this.removals = new BroadcastChannel("streaks-removals");
    this.removals.onmessage = ({ data }) => this.onRemoved(data);
  }

  get waiting() {
    return this.taps.filter((tap) => !tap.reason && !tap.isQuiet);
  }

  get refused() {
    return this.taps.filter((tap) => tap.reason);
  }

  /** Reads the taps again, and returns the last one that waited and is refused now, also by another tab's sending. */
  async refresh() {
    const all = await stored("queue", "readonly", (store) => store.getAll());
    const waited = this.taps.filter((tap) => !tap.reason).map(({ number }) => number);
    this.taps = all.filter((tap) => tap.ledger === ledger?.id);
    this.others = all.length - this.taps.length;
    page.show();
    return this.refused.findLast(({ number }) => waited.includes(number));
  }

  /** Stores a tap as the bytes that will be sent, and returns it once it is on the disk. */
  async add({ events, ...tap }) {
    const body = new TextEncoder().encode(JSON.stringify(events));
    const record = { ...tap, body, ledger: ledger.id, event: events[0].id };
    record.number = await stored("queue", "readwrite", (store) => store.add(record));
    this.taps.push(record);
    return record;
  }

  async remove(tap) {
    await stored("queue", "readwrite", (store) => store.delete(tap.number));
    this.removals.postMessage(tap);
    await this.onRemoved(tap);
  }

  async onRemoved(tap) {
    await this.refresh();
    if (tap.ledger === ledger?.id) page.onRemoved(tap);
  }

  async retry({ reason, ...tap }) {
    await stored("queue", "readwrite", (store) => store.put(tap));
    // What waits again can be refused again, and then says so again.
    await this.refresh();
    return this.send();
  }

  /** Sends all taps in their order; only one tab does that at a time. */
  async send() {
    clearTimeout(this.timer);
    const { sent, before, streaks } = await locked("streaks-send", () => this.sendAll());
    const refused = await this.refresh();
    if (sent.length > 0) await page.onSent(sent, before, streaks);
    if (refused) await page.onRefused(refused);
  }

  /** Returns the taps that were recorded, and the states before and after them. */
  async sendAll() {
    const sent = [];
    const before = ledger.snapshot;
    let streaks;
    this.problem = null;
    for (let after = 0; ; ) {
      const range = IDBKeyRange.lowerBound(after, true);
      const taps = await stored("queue", "readonly", (store) => store.getAll(range));
      const tap = taps.find((one) => one.ledger === ledger?.id && !one.reason);
      if (!tap) break;
      after = tap.number;

      const headers = { "Streaks-Ledger": tap.ledger, ...withStreaks };
      const { document, problem } = await request("/v1/events", { body: tap.body, headers })
        .catch((problem) => ({ problem }));
      if (problem?.isTemporary) {
        this.wait(problem);
        break;
      }
      // A refused celebration has lost its ground, so nobody needs to know.
      const isRefused = problem && !tap.isQuiet;
      const refused = { ...tap, reason: problem && refusalText(problem, tap) };
      await stored("queue", "readwrite", (store) => (isRefused ? store.put(refused) : store.delete(tap.number)));
      if (problem) continue;
      sent.push(tap);
      streaks = document.streaks;
    }
    if (!this.problem) this.failures = 0;
    return { sent, before, streaks };
  }

  /** Sends again later; the pauses grow to half a minute. */
  wait(problem) {
    this.problem = problem;
    this.failures += 1;
    const pause = Math.min(30000, Math.max(problem.wait, 1000 * 2 ** this.failures));
    this.timer = setTimeout(() => page.refresh(), pause);
  }
}
