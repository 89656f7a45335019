/**
 * Returns what changed between two states, the changes of the tapped habit first. The function only compares.
 *
 * `counts` are the possible numbers of events that the tap recorded. If the ledger grew by another number, somebody
 * else also wrote, and only changes of the tapped habit are returned.
 */
function changesBetween(before, after, tapped, counts, celebrates = true) {
  const isNewDay = before.today !== after.today;
  const isOthers = isNewDay || !counts.includes(after.position - before.position);
  const former = (id) => before.habits.find(({ habit }) => habit === id);
  const ofHabit = (habit) => {
    // What a new day or somebody else changes of other habits, no tap did.
    if (isOthers && habit.habit !== tapped) return "";
    const was = former(habit.habit);
    const changes = was ? habitChanges(was, habit, isNewDay).join(", ") : "";
    return changes && (habit.habit === tapped ? capital(changes) : `${nameOf(habit.habit)}: ${changes}`);
  };
  const habits = after.habits.toSorted((a, b) => (b.habit === tapped) - (a.habit === tapped));
  const ofHabits = habits.map(ofHabit).filter(Boolean);
  const keys = ({ celebrations, achievements }) => [...celebrations, ...achievements.map(({ key }) => key)];
  const known = keys(before);
  const isEarned = (key) => {
    // A run that only begins on another day has no new milestones.
    const [, habit, length] = /^milestone:([^:]+):(\d+)/.exec(key) ?? [];
    if (isOthers && habit !== tapped) return false;
    // An achievement is earned once; a milestone can recur with each run, until it was seen.
    if (habit && !after.celebrations.includes(key)) return false;
    if (habit) return ledger.habit(habit)?.current >= length && !(former(habit)?.current >= length);
    return !known.includes(key) && !key.startsWith("completed:");
  };
  const earned = celebrates ? keys(after).filter(isEarned).sort(byTier) : [];
  const occasions = [...new Set(earned.map((key) => `🎉 ${occasionText(key)}`))];
  const ended = isNewDay ? [`${plural(daysBetween(before.today, after.today), "day")} ended`] : [];
  return [...ended, ...ofHabits, ...occasions];
}

function habitChanges(was, is, isNewDay) {
  const changes = [];
  const unit = is.progress?.per ?? "day";
  if (was.current !== is.current) changes.push(`run ${was.current} → ${plural(is.current, unit)}`);
  if (was.jokers.held !== is.jokers.held) {
    const more = is.jokers.earned > was.jokers.earned ? "a joker earned" : "a joker back";
    changes.push(`${is.jokers.held > was.jokers.held ? more : "a joker less"}, ${is.jokers.held} held`);
  }
  if (isNewDay) return changes;
  if (was.progress && is.progress && was.progress.total !== is.progress.total) changes.push(progressText(is));
  if (was.quota && is.quota && was.quota.good !== is.quota.good && is.card?.quota) changes.push(is.card.quota);
  const { status, badge } = is.card ?? {};
  if (was.card?.status !== status && status !== "beginning" && badge) changes.push(badge);
  return changes;
}

function progressText({ habit, progress: { total, atLeast, atMost, per } }) {
  const unit = visible(unitOf(ledger.definition(habit).rule));
  const bound = atLeast ?? `at most ${atMost}`;
  const over = atMost != null && total > atMost ? ", over the limit" : "";
  return `${total} of ${bound} ${unit}${per === "day" ? "" : ` this ${per}`}${over}`;
}

/** The answer to a tap: what was recorded, what it changed, and a button that takes it back. */
class Answer {
  constructor() {
    this.undo = null;
    byId("close").addEventListener("click", () => this.show(""));
    byId("undo").addEventListener("click", () => this.undo?.());
    addEventListener("keydown", (event) => {
      const isTyping = event.target.matches("input, textarea, select") || document.querySelector("dialog[open]");
      if (!this.undo || this.restores || isTyping || event.key !== "z" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.undo();
    });
  }

  /** Shows an answer, with a button that calls `undo`, which may restore what was undone. */
  show(text, undo = null, restores = false) {
    this.restores = restores;
    this.today = ledger?.today;
    this.said = text;
    setText(byId("undo"), restores ? "Redo" : "Undo");
    setText(byId("answer-text"), text);
    footer.classList.remove("read");
    byId("close").hidden = text === "";
    byId("undo").hidden = !undo;
    this.undo = undo;
  }

  /** Shows more after the answer, instead of what was added before; the buttons stay. */
  add(text) {
    setText(byId("answer-text"), `${this.said}${text}`.trim());
    byId("close").hidden = false;
  }
}
