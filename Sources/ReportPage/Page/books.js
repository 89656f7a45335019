/** The number of rows of a list that are visible at once; the style sheet sets the height. */
const rowsSeen = 10;

/** The chosen habit's joker book, and the achievements. */
class Books {
  show(ledger, chosen) {
    setText(byId("book-title"), `Joker book of ${habitName(ledger, chosen)}`);
    const lines = ledger.book(chosen);
    const sum = (name) => ledger.field(chosen, `jokers.${name}`) ?? 0;
    const parts = data.actions.map((action) => `${sum(action)} ${action}`);
    setText(byId("book-sum"), lines.length > 0 ? `${sum("held")} held: ${parts.join(", ")}` : "No joker came or went.");
    const key = `${chosen} ${lines.map((line) => lineKey(line) + line[3]).join()}`;
    const cells = ([day, action, lot, held]) => [
      make("th", { text: dayText(day), attributes: { scope: "row" } }),
      make("td", { text: lot == null ? "–" : String(lot) }),
      make("td", { text: action, attributes: { class: action } }),
      make("td", { text: String(held) }),
    ];
    const rows = () => lines.toReversed().map((line) => make("tr", { children: cells(line) }));
    fill(byId("book").tBodies[0], key, rows);
    byId("book-part-lines").hidden = lines.length === 0;
    this.showMore("book-more", lines.length, "line");
    this.showAchievements(ledger);
  }

  showAchievements(ledger) {
    const achievements = ledger.own.get("achievements");
    setText(byId("achievements-title"), plural(achievements.length, "achievement"));
    setText(byId("experience"), `${ledger.own.get("xp")} XP`);
    const names = ledger.habits.map((habit) => ledger.field(habit, "name")).join("\n");
    const parts = ({ key, on, xp }) => [
      make("time", { text: on, attributes: { datetime: on } }),
      makeButton(achievementWords(ledger, key), () => this.explain(ledger, key)),
      make("small", { text: xp > 0 ? `+${xp} XP` : "" }),
    ];
    const rows = () => achievements.toReversed().map((one) => make("li", { children: parts(one) }));
    fill(byId("achievements"), achievements.map((one) => one.key + one.on).join() + names, rows);
    this.showMore("achievements-more", achievements.length, "achievement");
  }

  /** Says what an achievement is for. */
  explain(ledger, key) {
    setText(byId("achievement"), `${achievementWords(ledger, key)}: ${data.conditions[key]}.`);
  }

  /** Shows a hint if a list scrolls. */
  showMore(id, count, noun) {
    setText(byId(id), count > rowsSeen ? `↓ ${plural(count, noun)}: scroll the list for earlier ones` : "");
  }
}
