/**
 * Follows what other programs record. One tab listens for all, because a browser opens few
 * connections to a host.
 */
class Listener {
  /** `onChange` is called after each event that isn't the page's own, and on each connection. */
  constructor(onChange, isOwn = () => false) {
    Object.assign(this, { onChange, isOwn });
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

  /** Waits until all messages of a step are there. */
  hear(event) {
    if (this.isOwn(event)) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.onChange(), 250);
  }
}

const localLocks = new Map();

/** Runs `work` while no tab, or without TLS this tab, runs work under the same name. */
function locked(name, work) {
  if (navigator.locks) return navigator.locks.request(name, work);
  const running = (localLocks.get(name) ?? Promise.resolve()).catch(() => {}).then(work);
  localLocks.set(name, running);
  return running;
}
