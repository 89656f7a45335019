"use strict";

// The functions that the report and the daily page of the service share.

const byId = (id) => document.getElementById(id);

/** Sets a text only if it differs: little is laid out, and only what is new is announced. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets attributes as `setText` does a text. */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
}

const drawn = new Set(["svg", "g", "rect", "circle", "text", "title"]);

/** Makes an element; an attribute that is `false` or absent is left out. */
function make(name, { text, attributes = {}, children = [], on = {} } = {}) {
  const element = drawn.has(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(key, value === true ? "" : value);
  }
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  return element;
}

function makeButton(text, onClick, attributes = {}) {
  const given = { type: "button", ...attributes };
  return make("button", { text, attributes: given, on: { click: onClick } });
}

const filledWith = new WeakMap();

/** Returns the name of a control, by which it is found again after all were made again. */
const controlName = (control) => control.ariaLabel || control.textContent || control.name;

/** Replaces the content of an element if `key` differs; the focus stays on the same control. */
function fill(element, key, children) {
  if (filledWith.get(element) === key) return;
  filledWith.set(element, key);
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  element.replaceChildren(...children());
  if (!focused || focused === element) return;

  const controls = [...element.querySelectorAll("a, button, input, select")];
  const same = controls.find((control) => controlName(control) === controlName(focused));
  const next = same ?? controls[0] ?? element.closest(".card")?.querySelector("button");
  next?.focus({ preventScroll: true });
}

/** Arranges the elements of `parent`; the focus stays. */
function arrange(parent, elements) {
  const { children } = parent;
  if (children.length === elements.length && elements.every((element, place) => children[place] === element)) return;
  const focused = document.activeElement;
  parent.replaceChildren(...elements);
  if (focused !== document.activeElement && parent.contains(focused)) focused.focus({ preventScroll: true });
}

/** Makes characters visible that would change the text around them, such as its direction. */
const visible = (text) =>
  text?.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g,
    (c) => `\\u{${c.codePointAt(0).toString(16)}}`,
  );

const plural = (count, noun, nouns = `${noun}s`) => `${count} ${count === 1 ? noun : nouns}`;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a habit's name; of two habits with one name, each also has its id. */
function distinctName(name, id, names) {
  const isUnique = names.filter((one) => one === name).length <= 1;
  return visible(isUnique ? name : `${name} (${id})`);
}

const tiers = ["bronze", "silver", "gold", "diamond", "legendary"];
/** Orders the keys of achievements by their tiers, bronze first. */
const byTier = (a, b) => tiers.indexOf(a.split(":").at(-1)) - tiers.indexOf(b.split(":").at(-1));

/** Returns an achievement's key as text, such as `7 days of Mood` or `Streak master, silver`. */
function achievementText(key, nameOf, unitOf) {
  // A celebration's key also has the day on which a milestone's run began.
  const [, habit, length] = /^milestone:([^:]+):(\d+)/.exec(key) ?? [];
  // With a weekly or monthly sum, a run counts weeks or months.
  if (habit) return `${plural(Number(length), unitOf(habit) ?? "day")} of ${nameOf(habit)}`;
  const words = key === "tri-threat" ? key : key.replace("-", " ").replace(":", ", ");
  return capital(visible(words));
}

/** Makes a verdict's sign in its color. */
const signMark = (verdict = "none") =>
  make("i", { text: signOf(verdict), attributes: { class: `sign ${verdict}`, "aria-hidden": "true" } });

/** Makes the rows of a list of what the signs of days mean, from pairs of a verdict and its meaning. */
const signRows = (meanings) =>
  meanings.map(([verdict, text]) => make("li", { children: [signMark(verdict), make("span", { text })] }));

/** Returns a verdict with its joker and outcome, such as `healed by joker 2 (easy)`. */
function verdictWords(day) {
  if (!day) return "not counted";
  if (day.verdict === "open") return day.outcome === "good" ? "kept so far" : "open";
  const lot = day.lot ? ` by joker ${String(day.lot).split("/").at(-1)}` : "";
  const isQuietRest = day.verdict === "rest" && ["missed", "good"].includes(day.outcome);
  // The outcome of an excused day does not matter, and later entries of its week may change it.
  const isPlain = day.outcome === day.verdict || isQuietRest || day.verdict === "excused";
  return day.verdict + lot + (isPlain ? "" : ` (${visible(day.outcome)})`);
}
