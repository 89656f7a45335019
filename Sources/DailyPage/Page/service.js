/** What the page says instead of a detail that speaks of events, commands or headers. */
const problemTexts = {
  "not-undone": "It changes nothing now, is undone already, or a later change depends on it.",
  "clock-ahead": "The clock of the service was wrong, so it records nothing until somebody corrects that.",
};

/** Ends a text with a full stop, unless it has one. */
const sentence = (text) => (text.endsWith(".") ? text : `${text}.`);

/** A refusal by the service, or the absence of an answer, which has the status 0. */
class Problem extends Error {
  constructor(status, detail, type = "", wait = 0) {
    super(detail);
    this.status = status;
    this.type = type.split(":").at(-1);
    this.wait = wait;
  }

  /** Whether the same request can succeed later, so that what it records is kept and sent again. */
  get isTemporary() {
    // The clock of this device or of the server is wrong; the next taps may be right.
    if (this.type === "clock-ahead") return false;
    return this.status === 0 || [401, 408, 412, 421, 429].includes(this.status) || this.status >= 500;
  }
}

/** The time in milliseconds after which a request counts as unanswered. */
const answerTime = 20000;

/** Sends a request, and returns the answer's document, its ledger and its tag; throws a `Problem`. */
async function request(path, { body, headers = {} } = {}, tries = 6) {
  const options = { cache: "no-cache", redirect: "error", signal: AbortSignal.timeout(answerTime) };
  if (body !== undefined) {
    const type = { "Content-Type": "application/json" };
    Object.assign(options, { method: "POST", body, headers: { ...type, ...headers } });
  }

  const answer = await fetch(path, options).catch(() => null);
  const document = await answer?.json().catch(() => null);
  // Several open pages ask at once after a change, more than the service answers at a time.
  if (answer?.status === 429 && tries > 1) {
    await new Promise((done) => setTimeout(done, 200 + Math.random() * 800));
    return request(path, { body, headers }, tries - 1);
  }
  // A network that asks for a login of its own can answer, too.
  if (!answer || (!document && answer.status < 400)) throw new Problem(0, "There is no connection to the service.");
  if (!answer.ok) {
    const { detail, type = "" } = document ?? {};
    const words = answer.status === 429 ? "The service is busy." : problemTexts[type.split(":").at(-1)] ?? detail;
    const text = words?.replace(/^body:\d+:\d+: /, "") ?? `The service answers ${answer.status}.`;
    throw new Problem(answer.status, text, type, Number(answer.headers.get("Retry-After")) * 1000);
  }
  // A web server that compresses makes a tag weak.
  const tag = answer.headers.get("ETag")?.replace(/^W\//, "");
  return { document, ledger: answer.headers.get("Streaks-Ledger"), tag };
}

/** The header with which a POST is answered with the streaks after it, too (RFC 7240). */
const withStreaks = { Prefer: "return=representation" };

const read = (path) => request(path);
const post = (path, document, headers = {}) => request(path, { body: JSON.stringify(document), headers });
