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
    fill(byId("book").tBodies[0], `${chosen} ${lines.map((line) => lineKey(line) + line[3]).join()}`, () =>
      lines.toReversed().map(([day, action, lot, held]) =>
        make("tr", {
          children: [
            make("th", { text: dayText(day), attributes: { scope: "row" } }),
            make("td", { text: lot == null ? "–" : String(lot) }),
            make("td", { text: action, attributes: { class: action } }),
            make("td", { text: String(held) }),
          ],
        }),
      ),
    );
    byId("book-part-lines").hidden = lines.length === 0;
    this.showMore("book-more", lines.length, "line");
    this.showAchievements(ledger);
  }

  showAchievements(ledger) {
    const achievements = ledger.own.get("achievements");
    setText(byId("achievements-title"), plural(achievements.length, "achievement"));
    setText(byId("experience"), `${ledger.own.get("xp")} XP`);
    const names = ledger.habits.map((habit) => ledger.field(habit, "name")).join("\n");
    if (this.achievements === achievements && this.names === names) return;
    Object.assign(this, { achievements, names });
    fill(byId("achievements"), achievements.map((one) => one.key + one.on).join() + names, () =>
      achievements.toReversed().map((one) =>
        make("li", {
          children: [
            make("time", { text: one.on, attributes: { datetime: one.on } }),
            make("span", { text: achievementWords(ledger, one.key) }),
            make("small", { text: one.xp > 0 ? `+${one.xp} XP` : "" }),
          ],
        }),
      ),
    );
    this.showMore("achievements-more", achievements.length, "achievement");
  }

  /** Shows a hint if a list scrolls. */
  showMore(id, count, noun) {
    setText(byId(id), count > rowsSeen ? `↓ ${plural(count, noun)}: scroll the list for earlier ones` : "");
  }
}
