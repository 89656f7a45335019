"use strict";

/** The request for all pieces of the page, or null unless it is under way. */
let request = null;

/** Returns all pieces of a page that begins late; null if they are under way already or cannot be loaded. */
async function loadPieces() {
  if (request !== null) return null;
  byId("since").hidden = false;
  setText(byId("since"), "Loading what was before …");
  try {
    request = fetch(data.rest);
    return await piecesOf(await request);
  } catch (error) {
    setText(byId("since"), `What was before could not be loaded: ${visible(error.message)}`);
    return null;
  } finally {
    request = null;
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
