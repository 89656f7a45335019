/** Returns what changed between two states, that of the tapped habit first; nothing here decides about a day. */
function changesBetween(before, after, tapped, celebrates = true) {
  const isNewDay = before.today !== after.today;
  const ofHabit = (habit) => {
    // What a new day changes of other habits, no tap did.
    if (isNewDay && habit.habit !== tapped) return "";
    const was = before.habits.find((one) => one.habit === habit.habit);
    const changes = was ? habitChanges(was, habit, isNewDay).join(", ") : "";
    return changes && (habit.habit === tapped ? capital(changes) : `${nameOf(habit.habit)}: ${changes}`);
  };
  const habits = after.habits.toSorted((a, b) => (b.habit === tapped) - (a.habit === tapped));
  const ofHabits = habits.map(ofHabit).filter(Boolean);
  const keys = ({ celebrations, achievements }) => [...celebrations, ...achievements.map(({ key }) => key)];
  const known = keys(before);
  const isShorter = (id) => ledger.habit(id)?.current < before.habits.find(({ habit }) => habit === id)?.current;
  const isEarned = (key) => !known.includes(key) && !key.startsWith("completed:") && !isShorter(habitOf(key));
  const earned = celebrates ? keys(after).filter(isEarned) : [];
  const occasions = [...new Set(earned.map((key) => `🎉 ${occasionText(key)}`))];
  return [...ofHabits, ...occasions];
}

function habitChanges(was, is, isNewDay) {
  const changes = [];
  const unit = is.progress?.per ?? "day";
  if (was.current !== is.current) changes.push(`run ${was.current} → ${plural(is.current, unit)}`);
  if (was.jokers.held !== is.jokers.held) {
    changes.push(`${is.jokers.held > was.jokers.held ? "a joker earned" : "a joker less"}, ${is.jokers.held} held`);
  }
  if (isNewDay) return changes;
  if (was.progress && is.progress && was.progress.total !== is.progress.total) changes.push(progressText(is));
  if (was.quota && is.quota && was.quota.good !== is.quota.good) changes.push(quotaText(is.quota));
  const isTold = ["done", "due", "broken", "retired"].includes(is.status) && !ledger.isExcused(is.habit);
  if (was.status !== is.status && isTold) changes.push(statusWords[is.status]);
  return changes;
}

const statusWords = {
  due: "due", done: "done", rest: "rests today", grace: "in grace", new: "new", broken: "to begin", off: "",
  retired: "retired", kept: "kept so far", excused: "excused", lost: "not good today", mayRest: "may rest today",
};

const quotaText = ({ good, times, through }) =>
  `${good} of ${times} ${Date.parse(through) - Date.parse(ledger.today) < 7 * dayLength ? "this week" : "this month"}`;

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
