"use strict";
/**
 * Uses a page as a person does, and prints what it shows, a line of JSON each time.
 *
 * node use.js ACTION… < report.html, where an action is
 *   "at STEP"        moves the slider           "card N"         chooses the Nth card, counted round
 *   "click ID"       clicks a button            "focus ID"       puts the focus where Tab would, in this part
 *   "press KEY"      presses a key there        "tick"           lets the timer run out once
 *   "address #N"     changes the address        "show"           prints
 */
const page = require("./dom.js")(require("fs").readFileSync(0, "utf8"));

const text = (element) => element.textContent;
const label = (element) => element.getAttribute("aria-label");
const cards = () => page.element("cards").children.filter((card) => card.isShown);
const shown = (id, name) => [...page.element(id).all()].filter((element) => element.name === name && element.isShown);
/** Where the Tab key stops in a part of the page. */
const stops = (id) => [...page.element(id).all()].filter((element) => element.isShown && element.tabIndex >= 0);

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
  address: (hash) => page.goToAddress(hash),
  show: () => console.log(JSON.stringify(show())),
};

function show() {
  const weekday = (square) => page.element("year").children.indexOf(square.parentElement);
  const focus = page.document.activeElement;
  return {
    at: Number(page.element("slider").value),
    event: text(page.element("event")),
    told: text(page.element("told")),
    since: page.element("since").isShown ? text(page.element("since")) : null,
    cards: cards().map((card) => card.children.map(text)),
    chosen: cards().findIndex((card) => card.getAttribute("aria-pressed") === "true"),
    book: page.element("book").tBodies[0].children.map((row) => row.children.map(text).join(" ")),
    achievements: page.element("achievements").children.map((one) => one.children.map(text).join(" ").trim()),
    experience: text(page.element("experience")),
    month: shown("month", "button").map(label),
    rings: shown("month", "circle").map((one) => one.getAttribute("class")),
    year: shown("year", "rect").sort((a, b) => a.dataset.day - b.dataset.day).map(
      (one) => `${label(one)} [${one.getAttribute("class")}] ${weekday(one)}:${one.getAttribute("aria-colindex")}`,
    ),
    day: page.element("day").children.map((one) => one.children.map(text)),
    state: text(page.element("json")),
    isPlaying: page.element("play").getAttribute("aria-pressed") === "true" && page.isTicking(),
    focus: focus && (label(focus) ?? focus.getAttribute("id")),
    elements: [...new Set([...page.root.all()].map((element) => element.name))].sort(),
  };
}

page.element("document").open = true;
for (const words of process.argv.slice(2)) {
  const [action, ...rest] = words.split(" ");
  actions[action](rest.join(" "));
}
