/** Follows what other programs record. One tab listens for all, because a browser opens few connections to a host. */
class Listener {
  /** `onChange` is called after each change, and whenever the connection is there again. */
  constructor(onChange) {
    this.onChange = onChange;
    this.channel = new BroadcastChannel("streaks");
    this.channel.onmessage = () => this.hear();
    locked("streaks-listen", () => {
      this.connect();
      return new Promise(() => {});
    });
  }

  connect() {
    const source = new EventSource("/v1/changes");
    source.onopen = () => this.tell();
    source.onmessage = () => this.tell();
    source.onerror = () => {
      source.close();
      this.hear();
      setTimeout(() => this.connect(), 3000);
    };
  }

  tell() {
    this.channel.postMessage("");
    this.hear();
  }

  /** Waits until the messages of a step are there, and the answers to own taps. */
  hear() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.onChange(), 250);
  }
}
