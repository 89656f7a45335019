/** Matches a remark that is shown as a bar, such as `2 of 3 this week` or `3 of at most 2 cups`. */
const barForm = /^(?<done>[\d.]+) of (?<limit>at most )?(?<wanted>[\d.]+) /;

/** Returns a habit's card, in the words of `show`, or nothing before the habit is defined. */
function cardOf(ledger, habit) {
  const words = (ledger.cards.get(habit) ?? []).map((number) => data.texts[number]);
  const [group = data.groups.at(-1)[0], run = "", jokers = "", word = "", ...remarks] = words;
  const bar = remarks.map((remark) => barForm.exec(remark)).find(Boolean);
  return { group, run, jokers, word, remarks, bar };
}

/** Returns the totals of all entries, without those that are 0. */
function totals(ledger, habit) {
  const sum = (name) => ledger.field(habit, `totals.${name}`) ?? 0;
  const units = { minutes: ["min", "min"], km: ["km", "km"], sets: ["set"], drinks: ["drink"] };
  const nouns = { entries: ["entry", "entries"], ...units };
  return Object.keys(nouns).filter((name) => sum(name) > 0).map((name) => plural(sum(name), ...nouns[name]));
}

/** The cards of the habits, one button each: due habits first, retired ones folded away; one habit is chosen. */
class Cards {
  /** `onNumber` is called when somebody clicks a run, after its habit was chosen. */
  constructor(onChoice, onNumber) {
    this.cards = data.habits.map((_, habit) => {
      const part = (name) => make(name === "progress" ? name : "span", { attributes: { class: name } });
      const names = ["icon", "name", "run", "jokers", "badge", "remark", "progress", "sum"];
      const parts = Object.fromEntries(names.map((name) => [name, part(name)]));
      for (const part of [parts.icon, parts.progress]) setAttributes(part, { "aria-hidden": true });
      const choose = ({ target }) => {
        onChoice(habit);
        if (target === parts.run) onNumber();
      };
      const button = makeButton("", choose, { class: "card" });
      button.append(...Object.values(parts));
      return { button, ...parts };
    });
  }

  show(ledger, chosen, marks) {
    const defined = ledger.habits;
    const due = defined.filter((habit) => cardOf(ledger, habit).group === "due");
    this.showCount(ledger, defined);
    const retired = defined.filter((habit) => ledger.field(habit, "status") === "retired");
    const shown = [...due, ...defined.filter((habit) => !due.includes(habit) && !retired.includes(habit))];
    for (const [part, habits] of [["cards", shown], ["retired", retired]]) {
      arrange(byId(part), habits.map((habit) => this.cards[habit].button));
    }
    byId("retired-part").hidden = retired.length === 0;
    setText(byId("retired-title"), plural(retired.length, "retired habit"));
    for (const habit of defined) this.showCard(this.cards[habit], ledger, habit, habit === chosen, marks);
  }

  showCard(card, ledger, habit, isChosen, marks) {
    const { group, run, jokers, word, remarks, bar } = cardOf(ledger, habit);
    setText(card.icon, visible(ledger.field(habit, "icon") ?? ""));
    setText(card.name, habitName(ledger, habit));
    setText(card.run, run);
    setText(card.jokers, jokers);
    card.jokers.hidden = jokers === "";
    const held = plural(ledger.field(habit, "jokers.held"), "joker");
    setAttributes(card.jokers, { role: "img", "aria-label": `${held} held` });
    setText(card.badge, word);
    this.showBar(card, bar);
    // The bar's text is below the bar, so it isn't repeated as a remark.
    setText(card.remark, remarks.find((remark) => remark !== bar?.input) ?? "");
    const look = classes("card", marks.habit(habit));
    setAttributes(card.button, { "data-status": group, class: look, "aria-pressed": isChosen });
  }

  /** Makes the progress bar of a sum, a week or a month, with its text. */
  showBar(card, bar) {
    card.progress.hidden = card.sum.hidden = !bar;
    if (!bar) return;
    const { done, limit, wanted } = bar.groups;
    const look = classes("progress", limit && Number(done) > Number(wanted) && "over");
    setAttributes(card.progress, { max: wanted, value: done, class: look });
    setText(card.sum, bar.input);
  }

  /** Returns the number of habits in each group, without habits that are off or retired. */
  showCount(ledger, defined) {
    const titles = new Map(data.groups);
    // A day that is kept so far isn't done yet.
    const titleOf = ({ group, word }) => (word === "kept so far" ? word : titles.get(group));
    const shown = defined.map((habit) => titleOf(cardOf(ledger, habit)));
    const all = [...data.groups.slice(0, -1).map(([, title]) => title), "kept so far"];
    const [due, ...others] = all.map((title) => [shown.filter((one) => one === title).length, title]);
    setText(byId("due"), due[0] > 0 ? `${plural(due[0], "habit")} ${due[0] === 1 ? "is" : "are"} due` : "nothing is due");
    setText(byId("not-due"), others.filter(([many]) => many > 0).map((part) => part.join(" ")).join(" · "));
  }

  /** The habit whose card has the focus; -1 if none has. */
  get focused() {
    return this.cards.findIndex(({ button }) => button === document.activeElement);
  }

  focus(habit) {
    this.cards[habit]?.button.focus({ preventScroll: true });
  }
}
