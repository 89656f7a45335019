/** What browser_report.py runs in the page, after the page's own scripts; `positions` and `looks` are put before it. */
const failures = [];
addEventListener("error", (event) => failures.push(event.message));
const demand = (isTrue, words) => isTrue || failures.push(`at step ${page.ledger.at}: ${words}`);
const texts = (elements) => [...elements].map((element) => element.textContent);
const goToPosition = (position) => ((location.hash = `#${position}`), page.openAddress());

/** What the page shows at a position, to be compared with what `streaks` says. */
function shownAt(position) {
  goToPosition(position);
  return {
    state: stateDocument(page.ledger),
    due: byId("due").textContent,
    cards: [...document.querySelectorAll(".card")].map((card) =>
      ["name", "run", "jokers", "badge"].map((part) => card.querySelector(`.${part}`).textContent)),
    book: [...byId("book").tBodies[0].rows].map((row) => `${row.cells[0].textContent} ${row.cells[2].textContent}`),
    day: dayText(page.selected),
    calendar: [...byId("month").querySelectorAll("button")].filter((day) => !day.hidden).map((day) => day.ariaLabel),
    weekdays: texts(byId("weekdays").querySelectorAll(".count")).reduce((sum, text) => sum + Number(text), 0),
    good: [...byId("year-legend").children].map((one) => /good (\d+)/.exec(one.textContent)?.[1]).find(Boolean) ?? "0",
    chosen: data.habits[page.chosen],
  };
}

/** Every step in turn, laid out: how long it takes, and whether what it answers can be read. */
function stepThrough() {
  const times = [];
  page.goTo(0);
  while (page.ledger.at < data.steps.length) {
    const start = performance.now();
    page.goTo(page.ledger.at + 1);
    document.body.offsetHeight;
    times.push(performance.now() - start);
    if (looks) demandLegible();
  }
  times.sort((a, b) => a - b);
  return { steps: times.length, median: times[times.length >> 1], p99: times[Math.floor(times.length * 0.99)], most: times.at(-1) };
}

function demandLegible() {
  const answer = byId("told");
  const [box, first] = [answer.getBoundingClientRect(), byId("headline").firstElementChild];
  const isWhole = answer.scrollWidth <= answer.clientWidth && answer.scrollHeight <= answer.clientHeight;
  demand(isWhole && box.left >= 0 && box.right <= innerWidth, "the answer is clipped");
  const bar = byId("player").getBoundingClientRect();
  const line = byId("headline").getBoundingClientRect();
  // Words of people may be longer than the bar and end in an ellipsis; what changed never does.
  const phrase = first.querySelector("i")?.getBoundingClientRect();
  demand(!phrase || phrase.right <= line.right + 1, `the bar clips “${first.textContent}”`);
  demand(first.getBoundingClientRect().bottom <= line.bottom + 1, "the bar's first phrase is hidden");
  demand(bar.height <= innerHeight * 0.12, `the bar takes ${((bar.height / innerHeight) * 100).toFixed(1)} %`);
  demand(document.documentElement.scrollWidth <= innerWidth, "the page is wider than the window");
}

/** A finger needs 24 pixels for whatever is pressed; the mouse of a wide window less for a day of the year. */
function demandReachable() {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
  page.show();
  const pressed = "button, a, summary, input" + (innerWidth < 600 ? ", #year rect:not(.outside)" : "");
  for (const one of document.querySelectorAll(pressed)) {
    if (!one.checkVisibility()) continue;
    const { width, height } = one.getBoundingClientRect();
    demand(width >= 24 && height >= 24, `${one.outerHTML.slice(0, 80)} is ${width.toFixed(1)}×${height.toFixed(1)}`);
  }
}

/** The day on which a joker moved: what changed is marked, for that step and two more. */
function demandMarks() {
  const found = (look) => ({
    cards: texts(document.querySelectorAll(`.card.${look} .name`)).join(),
    month: [...document.querySelectorAll(`#month [data-mark="${look}"]`)].filter((day) => !day.hidden)
      .map((day) => dayText(Number(day.dataset.day))).join(),
    year: [...document.querySelectorAll(`#year rect.${look}`)].map((day) => dayText(Number(day.dataset.day))).sort().join(),
  });
  const days = "2025-10-08,2025-10-22";
  goToPosition(4848);
  for (const look of ["now", "past1", "past2"]) {
    const { cards, month, year } = found(look);
    demand(year === days, `the year marks ${year} as ${look}`);
    // The following steps are about another month, and the second of them changes the habit again.
    demand(look === "past2" || `,${cards},`.includes(",NoAlc,"), `no card is marked as ${look}, but ${cards}`);
    demand(look !== "now" || month === days, `the month marks ${month} as ${look}`);
    byId("step-after").click();
  }
  demand(!Object.values(found("past2")).join().includes("2025-10"), "a mark stays for more than two steps");
}

/** The parts follow the chosen habit, and each other. */
function demandFollowing() {
  goToPosition(4848);
  const card = [...byId("cards").children].find((one) => one.querySelector(".name").textContent === "Strength");
  card.click();
  demand(byId("year-title").textContent === "Strength in 2025", "the year does not follow the habit");
  demand(byId("trend-title").textContent.includes("Strength"), "the trend does not follow the habit");
  demand(byId("month-legend").firstElementChild.textContent === "Strength", "the month does not follow the habit");
  demand(byId("day").querySelector("b").textContent === "Strength", "the day does not begin with the habit");
  [...byId("years").children].find((one) => one.textContent === "2024").click();
  const ends = ["year-title", "month-title", "day-title"].map((id) => byId(id).textContent.slice(-4)).join();
  demand(ends === "2024,2024,2024", `year, month and day do not follow a year's button: ${ends}`);
  byId("month-after").click();
  demand(byId("month-title").textContent === "November 2024" && byId("day-title").textContent.endsWith("8 November 2024"),
    "the day does not follow the month");
  document.querySelector(".card:not([hidden])").click();
}

function demandButtons() {
  page.goTo(0);
  byId("change-after").click();
  const change = data.steps[page.ledger.at - 1];
  demand([change.fields, change.days, change.book].some((part) => part?.some(([habit]) => habit === page.chosen)), "no jump to a change");
  byId("step-after").click();
  byId("step-before").click();
  byId("play").click();
  demand(byId("play").ariaPressed === "true", "it does not play");
  byId("play").click();
  demand(byId("play").ariaPressed === "false", "it does not stop");
  byId("cards").querySelector(".card").click();
  demand(document.querySelectorAll(".card[aria-pressed=true]").length === 1, "not one card is chosen");
}

/** The events behind the numbers at the page's end, each opened by a click on the run. */
function explained() {
  page.goTo(data.steps.length);
  const chains = [...document.querySelectorAll(".card:not([hidden])")].map((card) => {
    byId("chain-part").open = false;
    card.querySelector(".run").click();
    demand(byId("chain-part").hidden || byId("chain-part").open, "a click on a run does not open what it comes from");
    const lists = byId("chain-part").hidden ? [] : [...byId("chain").querySelectorAll("ol")].filter((list) => !list.hidden);
    const positions = (list) => [...list.querySelectorAll("a")].map((link) => Number(link.hash.slice(1)));
    return [data.habits[page.chosen], lists.map(positions)];
  });
  return { chains };
}

const shown = positions.map(shownAt);
if (shown.length > 0) {
  demandMarks();
  demandFollowing();
  demandButtons();
}
const whys = shown.length > 0 ? explained() : null;
// The quicker of two rounds: what else the machine does counts, too.
const rounds = (looks ? [0] : [0, 1]).map(stepThrough);
const steps = rounds.sort((a, b) => a.p99 - b.p99)[0];
if (looks) demandReachable();
while (page.ledger.at > 0) page.ledger.back();
demand(page.ledger.fields.every((map) => map.size === 0) && page.ledger.days.every((map) => map.size === 0), "going back does not lead to the empty ledger");
const result = { shown, whys, failures, ...steps, window: [innerWidth, innerHeight], isCalm: isCalm() };
