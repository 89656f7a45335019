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
  // The rarer ones first.
  const texts = [...new Set([...all].map(occasionText))].sort((a, b) => a.startsWith("Done") - b.startsWith("Done"));
  setText(element, texts.map((text) => `🎉 ${text}`).join(" · "));
  element.hidden = texts.length === 0;
  if (keys.length > 0) partyView.observe(element);
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
