/** Asks for days to excuse, of one habit or of all, and lists the excuses in force, which can be withdrawn. */
async function askExcuse(habit) {
  const answer = await read("/v1/excuses").catch(() => null);
  const concerns = (excuse) => !habit || !excuse.habits || excuse.habits.includes(habit);
  const excuses = (answer?.document.excuses ?? []).filter(concerns).filter(({ reason }) => reason !== "zone");
  const habits = cards.shown.map((id) => [id, nameOf(id)]);
  ask({
    title: "Excuse days",
    text: "Excused days ask for nothing; what is logged, such as a slip, still counts. Without a last day, it is a pause until you end it.",
    fields: [
      { name: "from", label: "First day", type: "date", value: page.day, required: true },
      { name: "to", label: "Last day (empty: open)", type: "date", value: page.day },
      { name: "habit", label: "Habits", options: [["", "All habits"], ...habits], value: habit },
      { name: "reason", label: "Reason (optional)", maxlength: 500 },
    ],
    verb: "Excuse",
    action: ({ habit: one, ...values }) => {
      if (values.to < values.from) throw new Problem(400, "The last day is before the first one.");
      const fields = { ...values, ...(one ? { habits: [one] } : {}) };
      const isLogged = ([day, entries]) =>
        day >= fields.from && !(day > fields.to) && entries.some((entry) => !one || entry.habit === one);
      const logged = [...ledger.entries].some(isLogged) ? "; what is logged there still counts" : "";
      return page.tap("days.excused", fields, spanText(fields) + (one ? "" : ", all habits") + logged, { habit: one });
    },
  });
  const list = make("ul", { attributes: { class: "plain" }, children: excuses.toReversed().map(excuseRow) });
  const title = make("h3", { text: "Excused" });
  const words = "“Today counts again” ends an excuse with yesterday. “Withdraw” removes it from all of its days.";
  const hint = make("p", { text: excuses.some(isEndable) ? words : "", attributes: { class: "soft" } });
  if (excuses.length > 0) document.querySelector("dialog").append(title, hint, list);
}

const isEndable = ({ from, to }) => !to && from < ledger.today;

function spanText({ from, to }) {
  if (!to) return `excused from ${dayText(from)} on`;
  return `excused ${dayText(from)}${to === from ? "" : ` to ${dayText(to)}`}`;
}

function excuseRow(excuse) {
  const names = excuse.habits?.map(nameOf).join(", ") ?? "all habits";
  const text = [capital(spanText(excuse)), names, visible(excuse.reason)].filter(Boolean).join(", ");
  const close = () => document.querySelector("dialog").close();
  const withdraw = () => close(page.tap("excuse.withdrawn", { excuse: excuse.excuse }, `withdrawn: ${text}`, {}));
  const end = () => close(endExcuse(excuse, text));
  const button = (name, action) => makeButton(name, action, { "aria-label": `${name}: ${text}` });
  const buttons = [...(isEndable(excuse) ? [button("Today counts again", end)] : []), button("Withdraw", withdraw)];
  return make("li", { children: [make("span", { text }), ...buttons] });
}

/** Ends an open excuse with yesterday: it is withdrawn, and its days are excused again. */
function endExcuse({ excuse, from, habits, reason }, text) {
  const span = { from, to: plusDays(ledger.today, -1), ...(habits ? { habits } : {}), ...(reason ? { reason } : {}) };
  const events = [page.event("excuse.withdrawn", { excuse }), page.event("days.excused", span)];
  return page.send({ events, text: `ended with yesterday: ${text}`, day: ledger.today });
}
