/** The names of the numbers whose events are listed. */
const chainWords = {
  current: (ledger, habit) => cardOf(ledger, habit).run,
  "jokers.held": (ledger, habit) => `${plural(ledger.field(habit, "jokers.held"), "joker")} held`,
};

/** The events that explain the chosen habit's run and jokers at the last step; earlier steps have no explanation. */
class Chain {
  constructor(goTo) {
    this.goTo = goTo;
    this.end = data.steps.length;
  }

  /** Opens the list, after a click on a number. */
  open() {
    byId("chain-part").open = true;
    byId("chain-part").scrollIntoView({ behavior: isCalm() ? "auto" : "smooth" });
  }

  show(ledger, chosen) {
    // A run of 0 is explained only if the habit once had a longer one.
    const isExplained = (field) => ledger.field(chosen, field) > 0 || (field === "current" && ledger.field(chosen, "longest") > 0);
    const fields = Object.keys(chainWords).filter(isExplained);
    byId("chain-part").hidden = fields.length === 0 || ledger.field(chosen, "status") === "off";
    const numbers = fields.map((field) => chainWords[field](ledger, chosen));
    setText(byId("chain-title"), `Why ${numbers.join(", ")}`);
    const isEnd = ledger.at === this.end;
    const commands = fields.map((field) => `streaks why ${visible(data.habits[chosen])}.${field} --at ${ledger.step?.position ?? 0}`);
    setText(byId("chain-note"), isEnd ? "" : `Here the end of the page is explained; for this position: ${commands.join("; ")}`);
    byId("chain").hidden = !isEnd;
    if (!isEnd) return;
    const chains = data.chains.filter(([habit, field]) => habit === data.habits[chosen] && fields.includes(field));
    fill(byId("chain"), `${chosen} ${this.end}`, () => chains.flatMap(([, field, lines], place) => [
      make("h3", { text: numbers[place] }),
      make("ol", { attributes: { class: "plain" }, children: lines.map((line) => this.line(line)) }),
    ]));
  }

  line([position, text]) {
    if (position === null) return make("li", { text: visible(text), attributes: { class: "soft" } });
    return make("li", { children: [eventLink(position, this.goTo, visible(text))] });
  }
}
