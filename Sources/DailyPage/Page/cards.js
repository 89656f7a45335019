/** The cards of the habits; hidden and retired ones are folded away. */
class Cards {
  constructor() {
    this.cards = new Map();
  }

  show() {
    const part = (id) => (ledger.habit(id).status === "retired" ? "retired" : order.isHidden(id) ? "hidden" : "cards");
    const parts = { cards: [], hidden: [], retired: [], ...Object.groupBy(order.habits, part) };
    this.shown = parts.cards;
    byId("empty").hidden = order.habits.length > 0;
    for (const [name, ids] of Object.entries(parts)) {
      arrange(byId(name), ids.map((id) => this.card(id).element));
    }
    for (const name of ["hidden", "retired"]) {
      byId(`${name}-part`).hidden = parts[name].length === 0;
      setText(byId(`${name}-title`), plural(parts[name].length, `${name} habit`));
    }
    for (const id of order.habits) this.card(id).show();
  }

  card(id) {
    if (!this.cards.has(id)) this.cards.set(id, new Card(id));
    return this.cards.get(id);
  }
}

const missTexts = { heals: "a joker would save it", graced: "one miss is allowed", breaks: "a miss ends the run" };

/** Returns the first day whose entries count for a habit; empty if every day can become the habit's first one. */
function firstDayOf(id) {
  const [first] = ledger.history(id);
  const { countsFrom = "" } = ledger.definition(id) ?? {};
  return isLimit(first?.rule ?? {}) && first.day > countsFrom ? first.day : countsFrom;
}

/** Returns why an entry that is made now counts for nothing; empty if it counts. */
function reasonNotCounted({ habit, activity, minutes, km, sets }, day) {
  const { rule = {} } = ledger.definition(habit, day) ?? {};
  if (daysBetween(day, ledger.today) > rule.lateBy) return `Too late, so it does not count: the rule is ${ruleText({ rule })}`;
  const asked = rule.thresholds?.[activity] ?? rule.thresholds?.["*"];
  return asked && !(minutes || km || sets) ? `It counts for nothing: the rule is ${thresholdText([activity, asked])}` : "";
}

/** A habit's card: a group with what can be logged by one tap for the chosen day, and more once it is open. */
class Card {
  constructor(id) {
    this.id = id;
    this.isOpen = false;
    const part = (name, element = "span", attributes = {}) =>
      (this[name] = make(element, { attributes: { class: name, ...attributes } }));
    this.name = makeButton("", () => this.toggle(), { class: "name", "aria-expanded": "false" });
    const title = make("h2", { children: [this.name] });
    const hidden = { "aria-hidden": "true" };
    const jokers = part("jokers", "span", { role: "img" });
    const parts = [part("icon", "span", hidden), title, part("run"), jokers, part("badge")];
    const head = make("div", { attributes: { class: "head" }, children: parts });
    const children = [
      part("remark", "p"), part("progress", "progress", hidden), part("actions", "div"), part("logged", "p"),
      part("party", "div"), part("more", "div"),
    ];
    this.actions.append(part("choices"), part("inputs"));
    this.element = make("div", { attributes: { class: "card", role: "group" }, children: [head, ...children] });
    this.month = new Month(id);
  }

  get state() {
    return ledger.habit(this.id);
  }

  get isRetiring() {
    return this.state.status !== "retired" && Boolean(ledger.history(this.id).at(-1)?.retired);
  }

  show() {
    const { state } = this;
    this.element.setAttribute("aria-label", nameOf(this.id));
    setText(this.name, nameOf(this.id));
    setText(this.icon, visible(state.icon ?? ""));
    const run = plural(state.current, state.progress?.per ?? "day");
    setText(this.run, state.status === "off" ? "" : page.day === ledger.today ? run : `today: ${run}`);
    this.showJokers();
    this.showToday();
    this.showActions();
    this.showLogged();
    const isOwn = (key) => page.day === ledger.today && habitOf(key) === this.id;
    showParty(this.party, ledger.state.celebrations.filter(isOwn));
    this.more.hidden = !this.isOpen;
    if (this.isOpen) this.showMore();
  }

  showJokers() {
    setText(this.jokers, this.state.card?.jokers ?? "");
    this.jokers.ariaLabel = `${plural(this.state.jokers.held, "joker")} held`;
    this.jokers.hidden = this.jokers.textContent === "";
  }

  /** Shows the status of today, but not beside another day. */
  showToday() {
    const { state } = this;
    const isToday = page.day === ledger.state.today;
    const { status, badge = "" } = state.card ?? {};
    this.element.dataset.status = isToday ? status : "past";
    setText(this.badge, isToday ? badge : "");
    setText(this.remark, isToday ? this.remarks(status).filter(Boolean).join(" · ") : "");

    this.progress.hidden = !isToday || !state.progress;
    if (this.progress.hidden) return;
    const { total, atLeast, atMost } = state.progress;
    this.progress.max = atLeast ?? atMost;
    this.progress.value = total;
    this.progress.classList.toggle("over", atMost != null && total > atMost);
  }

  remarks(status) {
    const { state } = this;
    const definition = ledger.definition(this.id);
    const isComposite = ["all", "either"].includes(definition?.rule.kind);
    const isAtRisk = status === "due" && state.current > 0;
    return [
      isComposite && ruleText(definition), this.isRetiring && "retired from tomorrow", state.card?.excuse,
      state.progress && progressText(state), state.quota && state.card?.quota, isAtRisk && missTexts[state.ifMissed],
    ];
  }

  /** Shows the buttons, and the inputs for what no button has. */
  showActions() {
    const isRetired = this.state.status === "retired";
    const choices = isRetired ? [] : choicesOf(this.id, page.day);
    const inputs = isRetired ? [] : inputsOf(this.id, page.day);
    const button = ({ name, fields, look = "" }) => makeButton(name, () => this.log(fields), { class: `log ${look}` });
    fill(this.choices, JSON.stringify(choices), () => choices.map(button));
    // What is being typed stays if only the choices change.
    fill(this.inputs, JSON.stringify(inputs), () => (inputs.length > 0 ? [this.otherForm(inputs)] : []));
  }

  otherForm(inputs) {
    const fields = makeFields(inputs, `other-${this.id}`);
    const submit = (event) => {
      event.preventDefault();
      this.log(fields.values());
      event.target.reset();
    };
    const button = make("button", { text: "Log", attributes: { type: "submit" } });
    const attributes = { class: "other", "aria-label": `Other: ${nameOf(this.id)}` };
    return make("form", { attributes, children: [...fields.elements, button], on: { submit } });
  }

  log(fields) {
    const note = this.noteInput?.value.trim();
    if (this.noteInput) this.noteInput.value = "";
    const entry = { ...withActivity(this.id, page.day, fields), ...(note ? { note } : {}) };
    page.tap("entry.logged", { habit: this.id, ...entry }, entryText({ habit: this.id, day: page.day, ...entry }));
  }

  /** Shows what was logged for the chosen day, and what waits. */
  showLogged() {
    const entries = ledger.entriesOf(this.id, page.day).map((entry) => entryText(entry) + noteText(entry));
    const waiting = queue.waiting.filter((tap) => tap.habit === this.id && tap.day === page.day);
    const texts = [...entries, ...waiting.map((tap) => `${tap.text} (waiting)`)];
    const day = page.day === ledger.today ? "Today" : longDay(page.day);
    setText(this.logged, texts.length > 0 ? `${day}: ${texts.join(" · ")}` : "");
  }

  toggle() {
    this.isOpen = !this.isOpen;
    this.name.ariaExpanded = String(this.isOpen);
    this.element.classList.toggle("open", this.isOpen);
    this.show();
    if (this.isOpen) this.month.load();
  }

  /** Shows the month, the entries of the day, and what can be done with the habit. */
  showMore() {
    if (!this.noteInput) {
      const note = makeFields([{ name: "note", label: "Note for the next entry", maxlength: 500 }], `note-${this.id}`);
      this.noteInput = note.elements[0].querySelector("input");
      this.entries = make("ul", { attributes: { class: "plain" } });
      this.tools = make("div", { attributes: { class: "buttons" } });
      this.rule = make("p", { attributes: { class: "soft" } });
      const daily = make("div", { children: [this.rule, ...note.elements, this.entries, this.tools] });
      this.more.append(this.month.element, daily);
    }
    const definition = ledger.definition(this.id, page.day);
    setText(this.rule, `${capital(ruleText(definition))}. ${capital(forgivenessText(definition))}.`);
    this.month.show();
    showEntries(this.entries, this.id, page.day);
    const isRetired = this.state.status === "retired";
    const isHidden = order.isHidden(this.id);
    const tools = [
      isRetired ? [] : ["Excuse", () => askExcuse(this.id)],
      [isRetired ? "Bring back" : "Change", () => askHabit(this.id)],
      isRetired || this.isRetiring ? [] : ["Retire", () => askRetire(this.id)],
      [isHidden ? "Show again" : "Hide", () => this.hide(!isHidden)],
      ["Move up", () => this.arrange(() => order.move(this.id, -1, cards.shown))],
      ["Move down", () => this.arrange(() => order.move(this.id, 1, cards.shown))],
    ].filter(([name]) => name);
    fill(this.tools, tools.map(([name]) => name).join(), () => tools.map(([name, action]) => makeButton(name, action)));
  }

  hide(isHidden) {
    this.arrange(() => order.hide(this.id, isHidden));
    if (isHidden) page.answer.show(`${nameOf(this.id)} is hidden in this browser.`, () => this.hide(false));
  }

  /** Changes the order or what is hidden; an answer to an earlier tap goes, because its Undo undoes no move. */
  arrange(change) {
    const focused = document.activeElement;
    change();
    page.answer.show("");
    page.show();
    focused?.focus();
  }
}
