const byId = (id) => document.getElementById(id);

/** Sets text only where it is new, so that a step touches little of the page. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets text of several parts, each in a line of its own; the dots between them are for copying. */
function setParts(element, parts) {
  if (element.textContent === parts.join(" · ")) return;
  const dot = () => make("i", { text: " · " });
  const spans = parts.map((text) => make("span", { text }));
  element.replaceChildren(...spans.flatMap((span, place) => (place > 0 ? [dot(), span] : [span])));
}

function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** An element with text, attributes and children. */
function make(name, { text, attributes = {}, children = [] } = {}) {
  const isDrawing = ["svg", "g", "rect", "circle", "text", "title"].includes(name);
  const element = isDrawing
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
}

/** Text from the log for people: nothing in it can change the direction of what stands around it. */
const visible = (text) =>
  text?.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g,
    (c) => `\\u{${c.codePointAt(0).toString(16)}}`,
  );

const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

const habitName = (ledger, habit) => visible(ledger.field(habit, "name") ?? data.habits[habit]);

/** Held jokers as stars out of what can be held. */
function stars(held, cap) {
  if (cap == null || cap > 5 || held > cap) return held > 0 ? `★${held}` : "";
  return "★".repeat(held) + "☆".repeat(cap - held);
}

/** How far this week or month is; empty where a habit is not asked for so many times. */
function quotaWords(field) {
  if (field("quota.times") == null) return [];
  return [
    `${field("quota.good")} of ${field("quota.times")} this ${field("per")}`,
    `${plural(field("quota.rests"), "rest day")} left`,
  ];
}

const whatToday = {
  heals: "a joker would cover today",
  graced: "today may be missed",
  breaks: "today decides",
};

/** What is worth saying of a run beside its length and status. */
function remarks(ledger, habit) {
  const field = (name) => ledger.field(habit, name);
  const [status, longest] = [field("status"), field("longest")];
  if (status === "off") return [`${field("totals.entries")} ${field("totals.entries") === 1 ? "entry" : "entries"}`];
  if (status === "new") return ["day 1 is yours"];
  if (status === "broken" || status === "retired") return longest > 0 ? [`longest ${longest}`] : [];
  const parts = quotaWords(field);
  if (parts.length === 0 && field("ifMissed") === "rests") {
    parts.push(field("status") === "rest" ? "not asked for today" : "today may rest");
  }
  if (whatToday[field("ifMissed")]) parts.push(whatToday[field("ifMissed")]);
  if (field("safeThrough") != null && field("ifMissed") !== "breaks") {
    parts.push(`safe through ${dayText(field("safeThrough"))}`);
  }
  if (longest > field("current")) parts.push(`longest ${longest}`);
  return parts;
}

/** The cards of the habits, a button each; one is chosen. */
class Cards {
  constructor(onChoice) {
    this.cards = data.habits.map((_, habit) => {
      const parts = Object.fromEntries(
        ["icon", "name", "run", "jokers", "remark"].map((name) => [
          name,
          make("span", { attributes: { class: name } }),
        ]),
      );
      setAttribute(parts.icon, "aria-hidden", "true");
      const button = make("button", { attributes: { type: "button", class: "card" }, children: Object.values(parts) });
      button.addEventListener("click", () => onChoice(habit));
      return { button, ...parts };
    });
    byId("cards").append(...data.order.map((habit) => this.cards[habit].button));
  }

  show(ledger, chosen) {
    const defined = new Set(ledger.habits);
    this.cards.forEach((card, habit) => {
      card.button.hidden = !defined.has(habit);
      if (card.button.hidden) return;
      const field = (name) => ledger.field(habit, name);
      const held = field("jokers.held");
      setText(card.icon, visible(field("icon") ?? ""));
      setText(card.name, habitName(ledger, habit));
      setText(card.run, field("status") === "off" ? "" : plural(field("current"), "day"));
      setText(card.jokers, stars(held, field("cap")));
      setAttribute(card.jokers, "role", "img");
      setAttribute(card.jokers, "aria-label", field("cap") ? `${plural(held, "joker")} held` : "");
      setParts(card.remark, [field("status"), ...remarks(ledger, habit)]);
      setAttribute(card.button, "data-status", field("status"));
      setAttribute(card.button, "aria-pressed", String(habit === chosen));
    });
  }
}

/** The joker book of the chosen habit, and the achievements. */
class Books {
  show(ledger, chosen) {
    setText(byId("book-title"), `Joker book of ${habitName(ledger, chosen)}`);
    const lines = ledger.book(chosen);
    const sum = (name) => ledger.field(chosen, `jokers.${name}`) ?? 0;
    const parts = data.actions.map((action) => `${sum(action)} ${action}`);
    setText(byId("book-sum"), lines.length > 0 ? `${sum("held")} held: ${parts.join(", ")}` : "No joker came or went.");
    this.fill(byId("book").tBodies[0], `${chosen} ${lines.map((line) => lineKey(line)).join()}`, () =>
      lines.toReversed().map(([day, action, lot, held]) =>
        make("tr", {
          children: [
            make("th", { text: dayText(day), attributes: { scope: "row" } }),
            make("td", { text: lot == null ? "–" : `${visible(data.habits[chosen])}/${lot}` }),
            make("td", { text: data.actions[action], attributes: { class: data.actions[action] } }),
            make("td", { text: String(held) }),
          ],
        }),
      ),
    );
    byId("book").hidden = lines.length === 0;
    this.showAchievements(ledger);
  }

  showAchievements(ledger) {
    const achievements = ledger.own.get("achievements");
    const celebrations = ledger.own.get("celebrations");
    setText(byId("achievements-title"), plural(achievements.length, "achievement"));
    const waiting = celebrations.length > 0 ? ` · ${plural(celebrations.length, "celebration")} waiting` : "";
    setText(byId("experience"), `${ledger.own.get("xp")} XP${waiting}`);
    this.fill(byId("achievements"), achievements.map((one) => one.key + one.on).join(), () =>
      achievements.toReversed().map((one) =>
        make("li", {
          children: [
            make("time", { text: one.on, attributes: { datetime: one.on } }),
            make("span", { text: visible(one.key) }),
            make("small", { text: one.xp > 0 ? `+${one.xp} XP` : "" }),
          ],
        }),
      ),
    );
  }

  /** Fills an element anew where its content would be another. */
  fill(element, key, children) {
    if (element.dataset.key === key) return;
    element.dataset.key = key;
    element.replaceChildren(...children());
  }
}
