"use strict";

const byId = (id) => document.getElementById(id);

/** Sets a text only if it differs, so that screen readers announce only what is new. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Makes an element with text, attributes and children; an attribute that is `false` or absent is left out. */
function make(name, { text, attributes = {}, children = [], on = {} } = {}) {
  const element = document.createElement(name);
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== false);
  for (const [key, value] of given) element.setAttribute(key, value === true ? "" : value);
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  return element;
}

function makeButton(text, onClick, attributes = {}) {
  return make("button", { text, attributes: { type: "button", ...attributes }, on: { click: onClick } });
}

const filledWith = new WeakMap();

/** Returns the name of a control, by which it is found again after its neighbours were made again. */
const controlName = (control) => control.ariaLabel || control.textContent || control.name;

/** Replaces the content of an element only if `key` differs; the focus stays on the control of the same name. */
function fill(element, key, children) {
  if (filledWith.get(element) === key) return;
  filledWith.set(element, key);
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  element.replaceChildren(...children());
  if (!focused || focused === element) return;

  const controls = [...element.querySelectorAll("button, input, select")];
  const same = controls.find((control) => controlName(control) === controlName(focused)) ?? controls[0];
  (same ?? element.closest(".card")?.querySelector("button"))?.focus({ preventScroll: true });
}
