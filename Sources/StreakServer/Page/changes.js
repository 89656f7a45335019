/**
 * Returns what changed between two states, that of the tapped habit first; nothing here decides about a day.
 *
 * `count` is the number of events that the tap recorded; with more of them, others wrote, too.
 */
function changesBetween(before, after, tapped, count, celebrates = true) {
  const isNewDay = before.today !== after.today;
  const isOthers = isNewDay || after.position - before.position !== count;
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
    if (habit) return ledger.habit(habit)?.current >= length && !(former(habit)?.current >= length);
    return !known.includes(key) && !key.startsWith("completed:");
  };
  const earned = celebrates ? keys(after).filter(isEarned) : [];
  const occasions = [...new Set(earned.map((key) => `🎉 ${occasionText(key)}`))];
  return [...ofHabits, ...occasions];
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
  if (was.quota && is.quota && was.quota.good !== is.quota.good) changes.push(quotaText(is));
  const status = statusToday(is);
  const isTold = ["done", "due", "kept", "lost", "broken", "mayRest", "retired"].includes(status);
  if ((was.status !== is.status || statusToday(was) !== status) && isTold) changes.push(statusWords[status]);
  return changes;
}

/** Returns how today stands for a habit, as its card says it. */
function statusToday({ habit, status, ifMissed, progress }) {
  if (ledger.isExcused(habit)) return "excused";
  const { rule = {} } = ledger.definition(habit) ?? {};
  const isLogged = ledger.entriesOf(habit, ledger.state.today).length > 0;
  if (isLimit(rule) && ["due", "grace", "new", "broken"].includes(status)) {
    const isLost = progress ? progress.total > progress.atMost : isLogged;
    return isLost ? "lost" : "kept";
  }
  if (status === "due" && ifMissed === "rests") return "mayRest";
  return ["new", "broken"].includes(status) && isLogged && rule.kind === "level" ? "lost" : status;
}

const statusWords = {
  due: "due", done: "done", rest: "rests today", grace: "in grace", new: "new", broken: "to begin", off: "",
  retired: "retired", kept: "kept so far", excused: "excused", lost: "not good today", mayRest: "may rest today",
};

/** Returns the good days of the week or month, and how many a span needs that is shortened by excuses or its start. */
function quotaText({ habit, status, quota: { good, times, rests, through } }) {
  const span = ledger.definition(habit)?.schedule?.per ?? "week";
  const { today } = ledger.state;
  const days = Array.from({ length: daysBetween(today, through) + 1 }, (_, count) => plusDays(today, count));
  const open = days.filter((day) => !(day === today && status === "done") && !ledger.isExcused(habit, day));
  const needed = Math.min(times, good + Math.max(0, open.length - rests));
  // A habit that has not begun asks for nothing yet.
  if (status === "new" || needed >= times || good >= times) return `${good} of ${times} this ${span}`;
  if (needed > good) return `${good} of ${times} this ${span}, ${needed} needed`;
  return good === 0 ? `none needed this short ${span}` : `${good} this short ${span}, no more needed`;
}

function progressText({ habit, progress: { total, atLeast, atMost, per } }) {
  const unit = visible(unitOf(ledger.definition(habit).rule));
  const bound = atLeast ?? `at most ${atMost}`;
  return `${total} of ${bound} ${unit}${per === "day" ? "" : ` this ${per}`}`;
}

/** The answer to a tap: what was recorded, what it changed, and a button that takes it back. */
class Answer {
  constructor() {
    this.undo = null;
    byId("close").addEventListener("click", () => this.show(""));
    byId("undo").addEventListener("click", () => this.undo?.());
    addEventListener("keydown", (event) => {
      const isTyping = event.target.matches("input, textarea, select") || document.querySelector("dialog[open]");
      if (!this.undo || isTyping || event.key !== "z" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.undo();
    });
  }

  show(text, undo = null) {
    setText(byId("answer-text"), text);
    byId("answer").classList.toggle("shown", text !== "");
    byId("close").hidden = text === "";
    byId("undo").hidden = !undo;
    this.undo = undo;
  }
}
