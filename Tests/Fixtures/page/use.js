"use strict";
/**
 * Uses a page as a person does, and prints what it shows, a line of JSON each time.
 *
 * node use.js ACTION… < report.html, where an action is
 *   "at STEP"        moves the slider           "card N"         chooses the Nth card, counted round
 *   "click ID"       clicks a button            "focus ID"       puts the focus where Tab would, in this part
 *   "press KEY"      presses a key there        "tick"           lets the timer run out once
 *   "year Y"         clicks a year's button     "show"           prints
 *   "address #N"     changes the address
 *   "unfold ID"      opens what is folded
 *   "follow ID N"    follows the Nth link there    "number N"       clicks the run of the Nth card
 */
const page = require("./dom.js")(require("fs").readFileSync(0, "utf8"));

const text = (element) => element.textContent;
const look = (element) => element.getAttribute("class");
const label = (element) => element.getAttribute("aria-label");
const cards = () => ["cards", "retired"].flatMap((part) => page.element(part).children).filter((card) => card.isShown);
const shown = (id, name) => [...page.element(id).all()].filter((element) => element.name === name && element.isShown);
/** Where the Tab key stops in a part of the page. */
const stops = (id) => [...page.element(id).all()].filter((element) => element.isShown && element.tabIndex >= 0);

const links = (id) => [...page.element(id).all()].filter((element) => element.name === "a");

/** The position that a link leads to. */
const position = (link) => Number(link.getAttribute("href").slice(1));

const actions = {
  at(step) {
    page.element("slider").value = step;
    page.element("slider").dispatch("input");
  },
  card(number) {
    if (cards().length > 0) cards()[number % cards().length].click();
  },
  click: (id) => page.element(id).click(),
  focus(id) {
    if (stops(id).length !== 1) throw new Error(`${id} has ${stops(id).length} stops for the Tab key`);
    stops(id)[0].focus();
  },
  press: (key) => page.document.activeElement.press(key),
  tick: () => page.tick(),
  year: (year) => page.element("years").children.find((one) => text(one) === year).click(),
  address: (hash) => page.goToAddress(hash),
  unfold(id) {
    page.element(id).open = true;
    page.element(id).dispatch("toggle");
  },
  follow: (words) => links(words.split(" ")[0])[words.split(" ")[1]].click(),
  number(number) {
    const run = cards()[number].children.find((part) => look(part) === "run");
    cards()[number].dispatch("click", { target: run });
  },
  show: () => console.log(JSON.stringify(show())),
};

const sign = (square) => {
  const [row, column] = [page.element("year").children.indexOf(square.parentElement), square.getAttribute("aria-colindex") - 1];
  return text(page.element("year").children.find((one) => look(one) === "signs").children[column * 7 + row]);
};

/** How many jokers stars say: `★★☆` are two, `★12` are twelve. */
const held = (stars) => stars.match(/\d+/)?.[0] ?? String([...stars].filter((sign) => sign === "★").length);

const word = (part) => (look(part) === "jokers" ? held(text(part)) : text(part));


function show() {
  const weekday = (square) => page.element("year").children.indexOf(square.parentElement);
  const focus = page.document.activeElement;
  return {
    at: Number(page.element("slider").value),
    title: text(page.element("step-title")),
    place: text(page.element("place")),
    event: text(page.element("event")),
    told: page.element("told").children.map(text),
    isFolded: !page.element("told-part").open,
    headline: page.element("headline").children.map(text),
    due: text(page.element("due")),
    notDue: text(page.element("not-due")),
    since: page.element("since").isShown ? text(page.element("since")) : null,
    cards: cards().map(({ children }) => [...children.slice(0, 6).map(word), children[6].hidden ? "" : text(children[7])]),
    sums: cards().map((card) => card.children.slice(6)).filter(([bar]) => !bar.hidden).map(([bar, words]) =>
      `${text(words)}: ${bar.getAttribute("value")}/${bar.getAttribute("max")}`),
    marked: cards().filter((card) => look(card) !== "card").map((card) => `${text(card.children[1])} ${look(card)}`),
    chosen: cards().findIndex((card) => card.getAttribute("aria-pressed") === "true"),
    detail: text(page.element("detail")),
    habit: page.value("data.habits[page.chosen] ?? null"),
    chain: {
      title: page.element("chain-part").isShown ? text(page.element("chain-title")) : null,
      note: page.element("chain-note").isShown ? text(page.element("chain-note")).trim() : "",
      positions: page.element("chain").isShown ? links("chain").map(position) : [],
      lines: links("chain").map(text),
    },
    book: page.element("book").tBodies[0].children.map((row) => row.children.map(text).join(" ")),
    more: ["book-more", "achievements-more"].map((id) => text(page.element(id))),
    achievements: page.element("achievements").children.map((one) => one.children.map(text).join(" ").trim()),
    experience: text(page.element("experience")),
    titles: ["year", "month", "day", "trend"].map((part) => text(page.element(`${part}-title`))),
    years: page.element("years").children.map((one) => text(one) + (one.getAttribute("aria-pressed") === "true" ? "*" : "")),
    trend: ["weeks", "weekdays", "months"].map((id) => label(page.element(id))),
    month: shown("month", "button").map(label),
    marks: shown("month", "button").filter((one) => one.dataset.mark).map((one) => `${label(one).split(":")[0]} ${one.dataset.mark}`),
    rings: shown("month", "circle").map(look),
    year: shown("year", "rect").sort((a, b) => a.dataset.day - b.dataset.day).map(
      (one) => `${label(one)} [${look(one)}] ${sign(one)} ${weekday(one)}:${one.getAttribute("aria-colindex")}`,
    ),
    day: page.element("day").children.filter((one) => one.isShown).map((one) =>
      one.children.flatMap((part) => (look(part) === "entries" ? part.children.map(text) : [text(part)]))),
    ids: page.element("ids").isShown ? page.element("ids").children.map((one) => one.children.map(text)) : [],
    state: JSON.stringify(page.value("stateDocument(page.ledger)"), null, 2),
    isPlaying: page.element("play").getAttribute("aria-pressed") === "true" && page.isTicking(),
    focus: focus && (label(focus) ?? focus.getAttribute("id")),
    scrolledTo: page.document.scrolledTo?.getAttribute("id") ?? null,
    today: text(page.element("today")),
    elements: [...new Set([...page.root.all()].map((element) => element.name))].sort(),
  };
}

page.value(require("fs").readFileSync(`${__dirname}/document.js`, "utf8"));
(async () => {
  for (const words of process.argv.slice(2)) {
    const [action, ...rest] = words.split(" ");
    await actions[action](rest.join(" "));
  }
})();
