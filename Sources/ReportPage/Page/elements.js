const byId = (id) => document.getElementById(id);

/** Sets a text only if it differs, so that a step changes little of the page. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

const drawn = new Set(["svg", "g", "rect", "circle", "text", "title"]);

/** Makes an element with text, attributes and children. */
function make(name, { text, attributes = {}, children = [] } = {}) {
  const element = drawn.has(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
}

/** Replaces the content of an element only if it differs. */
function fill(element, key, children) {
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  element.replaceChildren(...children());
}

/** Makes a link to a position, which also works a second time. */
function eventLink(position, goTo, text) {
  const link = make("a", { text, attributes: { href: `#${position}` } });
  link.addEventListener("click", () => goTo(stepAfter(position)));
  return link;
}

/** True if the reader prefers reduced motion. */
const isCalm = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
