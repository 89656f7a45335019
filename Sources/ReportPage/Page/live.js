/** The messages for the statuses with which the server refuses to send changes. */
const refusals = {
  401: "log in, and open the page again",
  403: "this login may not read the changes",
  404: "there are no changes at this address",
  409: "something was changed in the past that this page shows; open it again",
};

/** The time in milliseconds after which the server is asked again. */
const pause = 5000;

/** The key under which this tab stores its habit and step while the page reloads. */
const memory = "streaks-live";

/** Follows the ledger: after a new event the page reloads, and the server makes it anew. */
class Live {
  constructor() {
    this.sign = make("p", { attributes: { id: "live", class: "soft", role: "status" } });
    byId("since").parentElement.append(this.sign);
    this.isOpening = false;
    this.resume();
    this.connect();
  }

  /** Restores the habit and the step that were shown before the page reloaded. */
  resume() {
    const kept = JSON.parse(sessionStorage.getItem(memory) ?? "{}");
    this.last = kept.event;
    const chosen = data.habits.indexOf(kept.habit);
    if (chosen >= 0) page.choose(chosen);
    if (kept.position !== undefined) page.goTo(stepAfter(kept.position));
  }

  connect() {
    this.say("connecting…");
    const source = new EventSource(this.address, { withCredentials: true });
    this.source = source;
    source.onopen = () => this.say("live");
    source.onmessage = (message) => this.receive(message.data);
    // An EventSource reconnects by itself, except after a response that is not an event stream.
    source.onerror = () => (source.readyState === 2 ? this.ask() : this.say("connecting…"));
  }

  get address() {
    return `${data.live.url}?after=${encodeURIComponent(data.live.after)}`;
  }

  /** Requests the response again to learn its status, which an EventSource does not report. */
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

  /** Reloads the page, but only once for the same event, because a file may not have been written again. */
  receive(line) {
    const { event } = JSON.parse(line);
    if (this.isOpening || lineById.has(event)) return;
    if (event === this.last) {
      this.source.close();
      return this.say("not live: there is a newer event, and this page was not made again; make the report again");
    }
    this.isOpening = true;
    const isAtEnd = page.ledger.at === data.steps.length;
    const position = isAtEnd ? undefined : page.ledger.step?.position ?? 0;
    sessionStorage.setItem(memory, JSON.stringify({ event, position, habit: data.habits[page.chosen] }));
    location.reload();
  }
}

const live = new Live();
