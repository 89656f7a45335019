// The parts that only the report of the service has: the way back, earlier and new steps.

byId("nav").hidden = false;
byId("nav").append(make("a", { text: "Log", attributes: { href: "/" } }));

/** Loads all pieces of the page, or returns null and shows that `what` could not be loaded. */
async function loadPieces(what) {
  byId("since").hidden = false;
  setText(byId("since"), `Loading ${what} …`);
  try {
    const answer = await fetch("/v1/report/steps");
    if (!answer.ok) throw new Error((await answer.json()).detail);
    return piecesIn(await answer.text());
  } catch (error) {
    setText(byId("since"), `${capital(what)} could not be loaded: ${visible(error.message)}`);
    return null;
  }
}

/** Shows whether the ledger has new steps; nothing moves until somebody asks for them. */
async function lookForNews() {
  const request = fetch("/v1/settings", { method: "HEAD", cache: "no-store" });
  const answer = await request.catch(() => null);
  // Several open pages ask at once after a change, more than the service answers at a time.
  if (answer?.status === 429) return setTimeout(lookForNews, 500 + Math.random() * 1000);
  // The tag of a document begins with the ledger's position.
  const [, position = lastPosition()] = /^(?:W\/)?"(\d+)/.exec(answer?.headers.get("ETag")) ?? [];
  const isNew = Number(position) !== lastPosition();
  const button = () => makeButton("Show them", showNews);
  const hasFocus = byId("news").contains(document.activeElement);
  fill(byId("news"), String(isNew), () => (isNew ? ["There are new steps. ", button()] : []));
  if (hasFocus && !isNew) byId("slider").focus({ preventScroll: true });
}

/** Loads the new steps. At the end of the slider the page stays at the end, else at its step. */
async function showNews() {
  const isAtEnd = page.ledger.at >= page.lastStop && !page.isByDay;
  const day = page.selected;
  await page.load("new steps");
  if (isAtEnd) {
    page.goToEnd();
    page.select(day);
  }
  lookForNews();
}

new Listener(lookForNews);
