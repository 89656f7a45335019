/** The names of the numbers whose events are listed. */
const chainWords = {
  current: (ledger, habit) => cardOf(ledger, habit).run,
  "jokers.held": (ledger, habit) => `${plural(ledger.field(habit, "jokers.held"), "joker")} held`,
};

/** The events that explain the chosen habit's run and jokers at the last step; earlier steps have no explanation. */
class Chain {
  constructor(goTo) {
    this.goTo = goTo;
  }

  show(ledger, chosen) {
    // A run of 0 is explained only if the habit once had a longer one.
    const isExplained = (field) => ledger.field(chosen, field) > 0 || (field === "current" && ledger.field(chosen, "longest") > 0);
    const fields = Object.keys(chainWords).filter(isExplained);
    byId("chain-part").hidden = fields.length === 0 || ledger.field(chosen, "status") === "off";
    const numbers = fields.map((field) => chainWords[field](ledger, chosen));
    setText(byId("chain-title"), `Why ${numbers.join(", ")}`);
    const isEnd = ledger.at === data.steps.length;
    byId("chain-note").hidden = isEnd;
    byId("chain").hidden = !isEnd;
    if (!isEnd) return;
    const chains = data.chains.filter(([habit, field]) => habit === data.habits[chosen] && fields.includes(field));
    fill(byId("chain"), `${chosen} ${ledger.at}`, () => chains.flatMap(([, field, lines], place) => [
      make("h3", { text: numbers[place] }),
      make("ol", { attributes: { class: "plain" }, children: lines.map((line) => this.line(line)) }),
    ]));
  }

  line([position, text]) {
    if (position === null) return make("li", { text: visible(text), attributes: { class: "soft" } });
    const link = make("a", { text: visible(text), attributes: { href: `#${position}` } });
    // The click also leads there if the address is that already.
    link.addEventListener("click", () => this.goTo(stepAfter(position)));
    return make("li", { children: [link] });
  }
}
