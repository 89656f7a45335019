"use strict";
/**
 * As much of a browser as the page of `report` uses, to run its own HTML and script without one: elements with text,
 * attributes and events, a range that moves by keys, and a timer that is wound by hand. Nothing is drawn.
 */
const vm = require("vm");

const empty = new Set(["meta", "input"]);
const raw = new Set(["script", "style"]);

class Element {
  constructor(name, document) {
    Object.assign(this, { name, document, nodes: [], listeners: [], attributes: new Map(), parentElement: null });
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  append(...nodes) {
    for (const node of nodes) {
      if (node instanceof Element) {
        node.remove();
        node.parentElement = this;
      }
      this.nodes.push(node);
    }
  }

  remove() {
    const [parent, active] = [this.parentElement, this.document.activeElement];
    if (parent) parent.nodes.splice(parent.nodes.indexOf(this), 1);
    this.parentElement = null;
    // What is taken out of a page loses the focus.
    if ([...this.all()].includes(active)) this.document.activeElement = null;
  }

  insertBefore(node, next) {
    node.remove();
    node.parentElement = this;
    this.nodes.splice(next ? this.nodes.indexOf(next) : this.nodes.length, 0, node);
  }

  get firstElementChild() {
    return this.children[0] ?? null;
  }

  get nextElementSibling() {
    const siblings = this.parentElement?.children ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  /** Notes that it was scrolled to. */
  scrollIntoView() {
    this.document.scrolledTo = this;
  }

  replaceChildren(...nodes) {
    for (const child of this.children) child.remove();
    this.nodes = [];
    this.append(...nodes);
  }

  get children() {
    return this.nodes.filter((node) => node instanceof Element);
  }

  get lastChild() {
    return this.nodes.at(-1) ?? null;
  }

  get tBodies() {
    return this.children.filter((child) => child.name === "tbody");
  }

  get textContent() {
    return this.nodes.map((node) => (node instanceof Element ? node.textContent : node)).join("");
  }

  set textContent(text) {
    this.replaceChildren(String(text));
  }

  get dataset() {
    const key = (name) => `data-${name}`;
    return new Proxy(this, {
      get: (element, name) => element.attributes.get(key(name)),
      set: (element, name, value) => (element.setAttribute(key(name), value), true),
    });
  }

  get tabIndex() {
    const given = this.getAttribute("tabindex");
    return given === null ? (["button", "input"].includes(this.name) ? 0 : -1) : Number(given);
  }

  get value() {
    return this.attributes.get("value") ?? "";
  }

  /** A range keeps what it is set to between its ends. */
  set value(value) {
    this.setAttribute("value", Math.max(Number(this.min), Math.min(Number(this.max), Number(value))));
  }

  /** Whether a person can see it or hear of it. */
  get isShown() {
    return !this.hidden && this.getAttribute("class") !== "outside" && (this.parentElement?.isShown ?? true);
  }

  addEventListener(type, listener) {
    this.listeners.push([type, listener]);
  }

  dispatch(type, more = {}) {
    const event = { type, target: this, isPrevented: false, preventDefault: () => (event.isPrevented = true), ...more };
    for (let element = this; element; element = element.parentElement) {
      for (const [wanted, listener] of element.listeners) if (wanted === type) listener(event);
    }
    return !event.isPrevented;
  }

  focus() {
    if (this.tabIndex < 0 && this.getAttribute("tabindex") === null) throw new Error(`${this.name} cannot have the focus`);
    this.document.activeElement = this;
  }

  click() {
    if (!this.isShown) throw new Error(`${this.name} cannot be clicked, it is not there to see`);
    this.dispatch("click");
  }

  /** A key pressed where the focus is. A range and a button answer it as browsers do. */
  press(key, more = {}) {
    if (!this.dispatch("keydown", { key, altKey: false, ctrlKey: false, metaKey: false, ...more })) return;
    if (this.name === "button" && (key === "Enter" || key === " ")) this.click();
    if (this.getAttribute("type") !== "range") return;
    const value = Number(this.value);
    const to = { ArrowLeft: value - 1, ArrowRight: value + 1, Home: this.min, End: this.max }[key];
    if (to === undefined) return;
    this.value = to;
    this.dispatch("input");
  }

  contains(other) {
    return [...this.all()].includes(other);
  }

  /** It and all below it. */
  *all() {
    yield this;
    for (const child of this.children) yield* child.all();
  }
}

for (const name of ["hidden", "open"]) {
  Object.defineProperty(Element.prototype, name, {
    get() {
      return this.attributes.has(name);
    },
    set(isOn) {
      if (isOn) this.setAttribute(name, "");
      else this.attributes.delete(name);
    },
  });
}
for (const name of ["min", "max"]) {
  Object.defineProperty(Element.prototype, name, {
    get() {
      return this.getAttribute(name) ?? "";
    },
    set(value) {
      this.setAttribute(name, value);
    },
  });
}

const plain = (text) => text.replaceAll("&lt;", "<").replaceAll("&amp;", "&");

/** The elements of a page; every element that is opened has to be closed. */
function parse(html, document) {
  const root = new Element("#document", document);
  const open = [root];
  const token = /<!doctype html>|<\/([\w-]+)>|<([\w-]+)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/?)>|([^<]+)/gy;
  for (let match; token.lastIndex < html.length; ) {
    const start = token.lastIndex;
    if (!(match = token.exec(html))) throw new Error(`no HTML: ${html.slice(start, start + 80)}`);
    const [, closed, name, attributes, isClosed, text] = match;
    if (text !== undefined) open.at(-1).append(plain(text));
    if (closed !== undefined && open.pop().name !== closed) throw new Error(`</${closed}> closes nothing`);
    if (name === undefined) continue;
    const element = new Element(name, document);
    for (const [, key, , value] of attributes.matchAll(/([\w:-]+)(="([^"]*)")?/g)) element.setAttribute(key, plain(value ?? ""));
    open.at(-1).append(element);
    if (isClosed || empty.has(name)) continue;
    open.push(element);
    if (!raw.has(name)) continue;
    const end = html.indexOf(`</${name}`, token.lastIndex);
    element.append(html.slice(token.lastIndex, end));
    token.lastIndex = end;
  }
  if (open.length > 1) throw new Error(`<${open.at(-1).name}> is not closed`);
  return root;
}

/** Opens a page and runs the script in it. */
module.exports = function browse(html) {
  const document = { activeElement: null };
  const root = parse(html, document);
  const byId = new Map([...root.all()].map((element) => [element.getAttribute("id"), element]));
  document.getElementById = (id) => byId.get(id) ?? null;
  document.createElement = (name) => new Element(name, document);
  document.createElementNS = (_, name) => new Element(name, document);
  const listeners = [];
  let timer = null;
  const window = {
    document,
    location: { hash: "" },
    history: { replaceState: (_, __, address) => (window.location.hash = address) },
    addEventListener: (type, listener) => listeners.push([type, listener]),
    setInterval: (work) => (timer = work),
    clearInterval: (old) => (timer = timer === old ? null : timer),
    // Another tab has the lock and listens for all.
    navigator: { locks: { request: () => {} } },
    BroadcastChannel: class {},
  };
  vm.createContext(window);
  const scripts = [...root.all()].filter((element) => element.name === "script");
  for (const script of scripts) {
    if (script.getAttribute("type") === null) vm.runInContext(script.textContent, window, { filename: "page.js" });
  }
  return {
    document,
    root,
    element: document.getElementById,
    /** What an expression is, to the page's script. */
    value: (expression) => vm.runInContext(expression, window),
    isTicking: () => timer !== null,
    tick: () => timer(),
    goToAddress(hash) {
      window.location.hash = hash;
      for (const [type, listener] of listeners) if (type === "hashchange") listener();
    },
  };
};
