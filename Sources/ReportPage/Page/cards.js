/** Held jokers as stars out of what can be held. */
function stars(held, cap) {
  if (cap == null || cap > 5 || held > cap) return held > 0 ? `★${held}` : "";
  return "★".repeat(held) + "☆".repeat(cap - held);
}

/** How far this week or month is, in numbers and in words; empty where a habit is not asked for so many times. */
function quotas(ledger, field) {
  const [done, times, asked] = [field("quota.good"), field("quota.times"), field("asked") ?? 0];
  if (times == null) return [];
  // Excused days ask for less.
  const isShort = asked < times && done < times;
  const span = `this ${isShort ? "short " : ""}${field("per")}`;
  if (isShort && (done > asked || asked === 0)) {
    return [{ done, wanted: Math.max(asked, 1), words: [done === 0 ? `none needed ${span}` : `${done} ${span}, no more needed`] }];
  }
  const wanted = isShort ? asked : times;
  const days = field("quota.through") - ledger.own.get("today");
  const isDone = field("status") === "done";
  const rests = Math.min(field("quota.rests"), days + (isDone ? 0 : 1));
  const isEnough = done >= Math.min(asked, times) || (isDone && days === 0);
  return [{ done, wanted, words: [`${done} of ${wanted} ${span}`, ...(isEnough ? [] : [`${plural(rests, "rest day")} left`])] }];
}

/** How far the sum of today, or of this week or month, is; empty where a habit has none, or today nothing was logged. */
function sums(ledger, field) {
  const per = field("progress.per");
  const [done, least, most] = ["total", "atLeast", "atMost"].map((name) => field(`progress.${name}`));
  if (per == null || (per === "day" && done === 0)) return [];
  const isLeast = least != null && (done < least || most == null);
  const wanted = isLeast ? least : most;
  const unit = field("unit") == null ? "" : ` ${visible(field("unit"))}`;
  const words = `${done} of ${isLeast ? "" : "at most "}${wanted}${unit} ${per === "day" ? "today" : `this ${per}`}`;
  const days = field("progress.through") - ledger.own.get("today");
  const left = per === "day" ? [] : leftWords(done, least, most, days);
  return [{ done, wanted, words: [words, ...left], isOver: most != null && done > most }];
}

/** What is left of a sum before so many more days are over, or how far it is over its limit; empty where it is reached. */
function leftWords(total, least, most, days) {
  if (least != null && total < least) return [days === 0 ? "the last day" : `${plural(days + 1, "day")} left`];
  if (most == null) return [];
  const rest = Math.round(Math.abs(most - total) * 1000) / 1000;
  return [total > most ? `${rest} over` : rest === 0 ? "none left" : `${rest} left`];
}

/** A run in words: of a sum of a week or month it counts weeks or months. */
function runWords(field) {
  const per = field("progress.per") ?? "day";
  return plural(field("current"), per);
}

/** What today is for a habit, in a word: its status, but for a day that is excused, bad, or good if no more is logged. */
function standing(ledger, habit) {
  const status = ledger.field(habit, "status");
  const verdict = ledger.day(habit, ledger.own.get("today"))?.verdict;
  if (verdict === "excused" && !["off", "retired"].includes(status)) return "excused";
  if (["new", "broken"].includes(status)) {
    if (verdict === "bad") return "bad";
    // A week or month over its limit asks for nothing more.
    const [per, total, most] = ["per", "total", "atMost"].map((name) => ledger.field(habit, `progress.${name}`));
    if (per !== "day" && most != null && total > most) return "rest";
  }
  return status === "due" && ledger.field(habit, "ifMissed") === "safe" ? "kept" : status;
}

const isDue = (ledger, habit) => ["due", "grace"].includes(standing(ledger, habit));

const badges = { due: "due", grace: "due", done: "✓ done", kept: "✓ kept so far", excused: "excused", bad: "bad today" };

/** What follows on the word `due`. */
const ifMissed = {
  heals: "or a joker is spent",
  graced: "but may be missed",
  rests: "but may rest",
  breaks: "or the run ends",
};

const unasked = { new: "not begun", rest: "not asked for today", broken: "broken", retired: "retired" };

/** What today is for a habit: the word for it, and what follows on that. */
function todayWords(ledger, habit) {
  const status = standing(ledger, habit);
  if (status === "off") return ["", plural(ledger.field(habit, "totals.entries") ?? 0, "entry", "entries")];
  const more = isDue(ledger, habit) ? ifMissed[ledger.field(habit, "ifMissed")] : unasked[status];
  return [badges[status] ?? "", more ?? ""];
}

/** What else is worth knowing of a habit's run. */
function remarks(ledger, habit) {
  const field = (name) => ledger.field(habit, name);
  const status = field("status");
  const parts = [...quotas(ledger, field), ...sums(ledger, field)].flatMap(({ words }) => words);
  if (field("safeThrough") != null && field("ifMissed") !== "breaks") {
    parts.push(`safe through ${dayText(field("safeThrough"))}`);
  }
  if (field("longest") > field("current") && status !== "off") parts.push(`longest ${field("longest")}`);
  return parts;
}

/** The sums of what was ever logged, as far as there is any. */
function totals(ledger, habit) {
  const sum = (name) => ledger.field(habit, `totals.${name}`) ?? 0;
  const parts = [[sum("minutes"), "min"], [sum("km"), "km"], [sum("sets"), "sets"], [sum("drinks"), "drinks"]];
  return [
    plural(sum("entries"), "entry", "entries"),
    ...parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`),
  ];
}

/** The cards of the habits, a button each, those that are due first and the retired ones folded; one is chosen. */
class Cards {
  /** `onNumber` is called when somebody clicks a run, once its habit is chosen. */
  constructor(onChoice, onNumber) {
    this.cards = data.habits.map((_, habit) => {
      const parts = Object.fromEntries(
        ["icon", "name", "run", "jokers", "badge", "remark", "progress", "sum"].map((name) => [
          name,
          make(name === "progress" ? name : "span", { attributes: { class: name } }),
        ]),
      );
      for (const part of [parts.icon, parts.progress]) setAttribute(part, "aria-hidden", "true");
      const button = make("button", { attributes: { type: "button", class: "card" }, children: Object.values(parts) });
      button.addEventListener("click", (event) => {
        onChoice(habit);
        if (event.target === parts.run) onNumber();
      });
      return { button, ...parts };
    });
    this.orders = {};
  }

  show(ledger, chosen, marks) {
    const defined = ledger.habits;
    const due = defined.filter((habit) => isDue(ledger, habit));
    this.showCount(ledger, defined, due.length);
    const retired = defined.filter((habit) => ledger.field(habit, "status") === "retired");
    this.sort("cards", [...due, ...defined.filter((habit) => !due.includes(habit) && !retired.includes(habit))]);
    this.sort("retired", retired);
    byId("retired-part").hidden = retired.length === 0;
    setText(byId("retired-title"), plural(retired.length, "retired habit"));
    for (const habit of defined) this.showCard(this.cards[habit], ledger, habit, habit === chosen, marks);
  }

  showCard(card, ledger, habit, isChosen, marks) {
    const field = (name) => ledger.field(habit, name);
    const held = field("jokers.held");
    const status = standing(ledger, habit);
    setText(card.icon, visible(field("icon") ?? ""));
    setText(card.name, habitName(ledger, habit));
    setText(card.run, status === "off" ? "" : runWords(field));
    setText(card.jokers, stars(held, field("cap")));
    card.jokers.hidden = card.jokers.textContent === "";
    setAttribute(card.jokers, "role", "img");
    setAttribute(card.jokers, "aria-label", `${plural(held, "joker")} held`);
    const [badge, remark] = todayWords(ledger, habit);
    setText(card.badge, badge);
    setText(card.remark, remark);
    this.showProgress(card, [...quotas(ledger, field), ...sums(ledger, field)][0]);
    setAttribute(card.button, "data-status", status);
    setAttribute(card.button, "class", classes("card", marks.habit(habit)));
    setAttribute(card.button, "aria-pressed", String(isChosen));
  }

  /** A bar and words for how far a week or month is, where a habit asks for a sum or so many times of it. */
  showProgress(card, progress) {
    card.progress.hidden = card.sum.hidden = !progress;
    if (!progress) return;
    setAttribute(card.progress, "max", String(progress.wanted));
    setAttribute(card.progress, "value", String(progress.done));
    setAttribute(card.progress, "class", classes("progress", progress.isOver && "over"));
    setText(card.sum, progress.words[0]);
  }

  showCount(ledger, defined, due) {
    const count = (...wanted) => defined.filter((habit) => wanted.includes(standing(ledger, habit))).length;
    setText(byId("due"), due > 0 ? `${plural(due, "habit")} ${due === 1 ? "is" : "are"} due` : "nothing is due");
    const others = [
      [count("done"), "done"], [count("kept"), "kept so far"], [count("rest"), "resting"], [count("excused"), "excused"],
      [count("bad"), "bad today"], [count("new", "broken"), "to begin"],
    ];
    setText(byId("not-due"), others.filter(([many]) => many > 0).map((part) => part.join(" ")).join(" · "));
  }

  /** Puts the cards of a part in an order with few moves, as each is laid out again; what has the focus keeps it. */
  sort(part, order) {
    if (this.orders[part] === order.join()) return;
    this.orders[part] = order.join();
    const focus = document.activeElement;
    let next = byId(part).firstElementChild;
    for (const habit of order) {
      const card = this.cards[habit].button;
      if (next && next !== card && next.nextElementSibling === card) {
        next.remove();
        next = card;
      }
      if (next === card) next = card.nextElementSibling;
      else byId(part).insertBefore(card, next);
    }
    while (next) {
      const gone = next;
      next = gone.nextElementSibling;
      gone.remove();
    }
    const held = order.map((habit) => this.cards[habit].button).find((button) => button === focus);
    if (held !== document.activeElement) held?.focus({ preventScroll: true });
  }
}
