/** The step's event and its changes: complete at the top of the page, and shortened in the bar. */
class StepText {
  /** By days the bar shows phrases of the selected day instead of the step's. */
  show(ledger, chosen, dayPhrases) {
    const changes = habitChanges(ledger);
    const own = ownChanges(ledger);
    const isBeginning = ledger.at === data.begins;
    const words = this.words(ledger);
    this.showPlace(ledger);
    setText(byId("event"), words);
    const lines = changes.map(({ habit, phrases }) => [habitName(ledger, habit), phrases]);
    if (own.length > 0) lines.push(["", own]);
    if (lines.length === 0 && !isBeginning) lines.push(["", ["no run and no verdict changed"]]);
    this.showLines(lines, changes.length, ledger.step?.id !== undefined);
    if (dayPhrases) return this.showPhrases(dayPhrases, "");
    this.showHeadline(ledger, chosen, isBeginning ? [] : changes, isBeginning ? [] : own, words);
  }

  /** Shows the lines; those of a step without an event start closed, because a new day may change every habit. */
  showLines(lines, habits, isEvent) {
    byId("told-part").hidden = lines.length === 0;
    fill(byId("told"), JSON.stringify([isEvent, lines]), () => {
      byId("told-title").hidden = isEvent;
      byId("told-part").open = isEvent;
      setText(byId("told-title"), `${plural(habits, "habit")} changed`);
      setAttributes(byId("told"), { class: classes("plain", isEvent && lines.length > 2 && "many") });
      return lines.map(([name, phrases]) => this.line(name, phrases));
    });
  }

  /** Makes the phrases of a change; a phrase is wrapped only if it is wider than the page. */
  line(name, phrases) {
    const parts = phrases.flatMap((text, place) => [place > 0 ? ", " : name && " ", make("span", { text })]);
    return make("li", { children: [...(name ? [make("b", { text: name })] : []), ...parts] });
  }

  words(ledger) {
    const step = ledger.step;
    const isBeginning = ledger.at === data.begins;
    if (step?.id) return eventWords(ledger, step);
    if (!step) return "the empty ledger";
    return isBeginning ? `as it was after ${plural(step.position, "event")}` : "the days after the newest step";
  }

  /** Shows the day as the title, and below it the event's position and id, which people type into commands. */
  showPlace(ledger) {
    const step = ledger.step;
    const today = ledger.own.get("today");
    const when = step?.id === undefined ? "by" : "on";
    setText(byId("step-title"), today == null ? "What changed" : `What changed ${when} ${longDay(today)}`);
    const first = step?.count ? `${firstPosition(step)}–` : "";
    const place = [`Position ${first}${step?.position ?? 0} of ${lastPosition()}`, ledger.own.get("zone"), step?.id];
    setText(byId("place"), place.filter(Boolean).join(" · "));
  }

  /** Returns the phrases, the chosen habit's first; the bar shows as many complete ones as fit. */
  showHeadline(ledger, chosen, changes, own, words) {
    const isChosen = ({ habit }) => Number(habit !== chosen);
    const sorted = [...changes].sort((a, b) => isChosen(a) - isChosen(b));
    const parts = sorted.flatMap(({ habit, brief: [first, ...more] }) => [
      [habitName(ledger, habit), first], ...more.map((text) => ["", text]),
    ]);
    parts.push(...own.map((text) => ["", text]));
    // Days that ended change habits that the step is not about.
    const ended = parts.length > 0 && endedDays(ledger);
    if (ended) parts.unshift(["", ended]);
    this.showPhrases(parts, words);
  }

  /** Shows pairs of a name and a phrase in the bar, and after them other words. */
  showPhrases(parts, words) {
    fill(byId("headline"), JSON.stringify([parts, words]), () => [
      ...parts.map(([name, text]) =>
        make("span", { children: [...(name ? [make("b", { text: name }), " "] : []), make("i", { text })] }),
      ),
      make("span", { text: words, attributes: { class: "soft" } }),
    ]);
  }
}
