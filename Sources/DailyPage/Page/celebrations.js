/** Returns the habit of a celebration, or nothing if it is of no single habit. */
function habitOf(key) {
  const [kind, habit] = key.split(":");
  return ["milestone", "completed"].includes(kind) ? habit : undefined;
}

/** The celebrations of each element, and those marked as seen, which stay until the page is opened again. */
const shownParties = new Map();
const marked = new Set();

/** Shows celebrations where they happen, and marks them as seen once they were in view for two seconds. */
function showParty(element, keys) {
  const seen = [...(shownParties.get(element) ?? [])].filter((key) => marked.has(key));
  const all = new Set([...seen, ...keys]);
  shownParties.set(element, all);
  const byText = new Map([...all].map((key) => [occasionText(key), key]));
  // The rarer ones first.
  const texts = [...byText.keys()].sort((a, b) => a.startsWith("Done") - b.startsWith("Done"));
  fill(element, texts.join(), () => texts.map((text) => occasion(byText.get(text), `🎉 ${text}`)));
  element.hidden = texts.length === 0;
  if (keys.length > 0) partyView.observe(element);
}

/** Makes a celebration; that of an achievement can be unfolded. */
function occasion(key, text) {
  const isOf = (one) => key === `achievement:${one.key}` || key.startsWith(`${one.key}:`);
  const achievement = ledger.state.achievements.find(isOf);
  return achievement ? achievementPart(achievement, text) : make("span", { text });
}

/** Makes an achievement that says, once it is unfolded, what it is for, when it was reached, and by what. */
function achievementPart({ key, on, because, xp }, title) {
  const text = make("p", { attributes: { class: "soft" } });
  const tell = async () => {
    await loadDay(on).catch(() => {});
    const grounds = (ledger.entries.get(on) ?? []).filter(({ id }) => because.includes(id));
    const logged = [...new Set(grounds.map((entry) => `${nameOf(entry.habit)}: ${entryText(entry)}`))].join(", ");
    const reached = `First reached on ${longDay(on)}${logged && ` (${logged})`}${xp > 0 ? `, +${xp} XP` : ""}`;
    const condition = ledger.state.words.conditions[key];
    setText(text, `${condition ? `${capital(condition)}. ` : ""}${reached}.`);
  };
  return make("details", { children: [make("summary", { text: title }), text], on: { toggle: tell } });
}

/** Lists the achievements, the newest first. */
function showAchievements() {
  const all = ledger.state.achievements.map((one) => [one, occasionText(one.key)]).reverse();
  byId("achievements-part").hidden = all.length === 0;
  setText(byId("achievements-title"), plural(all.length, "achievement"));
  const item = (one) => make("li", { children: [achievementPart(...one)] });
  fill(byId("achievements"), all.map(([{ on }, text]) => on + text).join(), () => all.map(item));
}

const partyView = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    partyView.unobserve(target);
    setTimeout(() => markSeen(target), 2000);
  }
});

/** Marks what an element shows as seen, unless nobody looks, or the state is an old one. */
function markSeen(element) {
  const isLooked = document.visibilityState === "visible" && element.checkVisibility();
  if (!isLooked || !ledger || ledger.isStored) return;
  const isPending = (key) => ledger.state.celebrations.includes(key) && !marked.has(key);
  // Meanwhile the ledger can be loading again.
  const keys = [...(shownParties.get(element) ?? [])].filter(isPending);
  if (keys.length === 0) return;
  for (const key of keys) marked.add(key);
  const events = keys.map((celebration) => page.event("celebration.seen", { celebration }));
  page.send({ events, isQuiet: true });
}
