/** The levels of drinks as rows of a form. Each begins after the end of the one before it. */
class LevelRows {
  constructor(levels = [{ level: "", isGood: true }, { level: "" }]) {
    this.rows = [];
    this.list = make("div", { on: { input: () => this.show() } });
    const add = makeButton("Add a level", () => this.add({ level: "" }).level.focus());
    const legend = make("legend", { text: "Levels of drinks" });
    this.element = make("fieldset", { attributes: { class: "levels" }, children: [legend, this.list, add] });
    levels.forEach((level) => this.add(level));
  }

  add({ level, to, isGood }) {
    const made = makeFields([
      { name: "level", label: "Level", value: level, required: true, maxlength: 32 },
      { name: "from", label: "From", type: "number", disabled: true },
      { name: "to", label: "To", type: "number", value: to ?? undefined },
    ], `level-${newId()}`);
    const good = checkbox("good", "good", isGood, "Good");
    const row = { ...made.inputs, good: good.firstElementChild };
    const remove = makeButton("✕", () => this.remove(row), { "aria-label": "Remove this level" });
    const children = [...made.elements, good, remove];
    row.element = make("div", { attributes: { class: "level", role: "group" }, children });
    this.list.append(row.element);
    this.rows.push(row);
    this.show();
    return row;
  }

  remove(row) {
    row.element.remove();
    this.rows.splice(this.rows.indexOf(row), 1);
    this.show();
  }

  /** Shows where each level begins. */
  show() {
    this.rows.forEach(({ element, from, to }, place) => {
      const end = place > 0 ? this.rows[place - 1].to.value : "-1";
      const isLast = place === this.rows.length - 1;
      from.value = end && Number(end) + 1;
      Object.assign(to, { min: from.value, required: !isLast, placeholder: isLast ? "more" : "" });
      element.ariaLabel = `Level ${place + 1}`;
    });
  }

  get value() {
    const number = ({ value }) => (value === "" ? null : Number(value));
    return this.rows.map(({ level, from, to, good }) =>
      ({ level: level.value.trim(), from: number(from), to: number(to), isGood: good.checked }));
  }
}
