// What only the page of the service has: the way back, earlier steps, and new ones.

byId("nav").hidden = false;
byId("nav").append(make("a", { text: "Log", attributes: { href: "/" } }));

/** Returns all pieces of the page; null if they cannot be loaded, which is said of `what`. */
async function loadPieces(what) {
  byId("since").hidden = false;
  setText(byId("since"), `Loading ${what} …`);
  try {
    return await piecesOf(await fetch("/v1/report/steps"));
  } catch (error) {
    setText(byId("since"), `${capital(what)} could not be loaded: ${visible(error.message)}`);
    return null;
  }
}

/** Reads an answer piece by piece, each a line of JSON, so that the page stays usable. */
async function piecesOf(answer) {
  if (!answer.ok) throw new Error((await answer.json()).detail);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  const pieces = [];
  let line = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (line + part.value).split("\n");
    line = lines.pop();
    pieces.push(...lines.map((one) => JSON.parse(one)));
  }
  return pieces;
}

/** Says that there are new steps if there are; nothing moves until somebody asks for them. */
async function lookForNews() {
  const request = fetch("/v1/settings", { method: "HEAD", cache: "no-store" });
  const answer = await request.catch(() => null);
  // The tag of a document begins with the ledger's position.
  const [, position = lastPosition()] = /^"(\d+)/.exec(answer?.headers.get("ETag")) ?? [];
  const isNew = Number(position) !== lastPosition();
  const button = () => makeButton("Show them", showNews);
  fill(byId("news"), String(isNew), () => (isNew ? ["There are new steps. ", button()] : []));
}

/** Loads the new steps. At the end of the slider the page stays at the end, else where it is. */
async function showNews() {
  const isAtEnd = page.ledger.at === data.steps.length;
  // The button goes away, and the bar is what it was in.
  byId("slider").focus({ preventScroll: true });
  await page.load("new steps", isAtEnd ? Infinity : undefined);
  lookForNews();
}

new Listener(lookForNews);
