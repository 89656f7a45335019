/** Follows what other programs record. One tab listens for all, because a browser opens few connections to a host. */
class Listener {
  /** `onChange` is called after each change, and whenever the connection is there again. */
  constructor(onChange) {
    this.onChange = onChange;
    this.channel = new BroadcastChannel("streaks");
    this.channel.onmessage = ({ data }) => this.hear(data);
    locked("streaks-listen", () => {
      this.connect();
      return new Promise(() => {});
    });
  }

  connect() {
    const source = new EventSource("/v1/changes");
    source.onopen = () => this.tell();
    source.onmessage = ({ data }) => this.tell(JSON.parse(data).event);
    source.onerror = () => {
      source.close();
      this.hear();
      setTimeout(() => this.connect(), 3000);
    };
  }

  tell(event) {
    this.channel.postMessage(event);
    this.hear(event);
  }

  /** Waits until all messages of a step are there; this page's own taps are answered already. */
  hear(event) {
    if (page.own.has(event)) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.onChange(), 250);
  }
}
