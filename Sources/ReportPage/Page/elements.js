const byId = (id) => document.getElementById(id);

/** Sets text only where it is new, so that a step touches little of the page. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

const drawn = new Set(["svg", "g", "rect", "circle", "text", "title"]);

/** An element with text, attributes and children. */
function make(name, { text, attributes = {}, children = [] } = {}) {
  const element = drawn.has(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
}

/** Fills an element again only where its content is to be another. */
function fill(element, key, children) {
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  element.replaceChildren(...children());
}

/** A link to a position, which leads there as often as it is followed. */
function eventLink(position, goTo, text) {
  const link = make("a", { text, attributes: { href: `#${position}` } });
  link.addEventListener("click", () => goTo(stepAfter(position)));
  return link;
}

/** Whether the reader asked for less motion. */
const isCalm = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
