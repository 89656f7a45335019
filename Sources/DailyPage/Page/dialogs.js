/** Makes labelled inputs; `values()` returns what was typed, without inputs that are empty. */
function makeFields(fields, prefix) {
  const inputs = fields.map((field) => makeInput(field, `${prefix}-${field.name}`));
  const elements = fields.map((field, index) => makeField(field, inputs[index], `${prefix}-${field.name}`));
  const value = (field, input) => {
    if (field.rows) return field.rows.value;
    if (field.boxes) return [...input.querySelectorAll("input:checked")].map((box) => box.value);
    return field.type === "number" && input.value !== "" ? Number(input.value) : input.value.trim() || undefined;
  };
  const values = () => {
    const all = fields.map((field, index) => [field.name, value(field, inputs[index])]);
    return Object.fromEntries(all.filter(([, one]) => one !== undefined));
  };
  return { elements, values, inputs: Object.fromEntries(fields.map((field, index) => [field.name, inputs[index]])) };
}

function makeInput({ name, type = "text", options, list, value, label, hint, boxes, rows, ...attributes }, id) {
  if (rows) return rows.element;
  if (options) {
    const option = ([key, text]) => make("option", { text, attributes: { value: key, selected: key === value } });
    return make("select", { attributes: { id, name, ...attributes }, children: options.map(option) });
  }
  if (boxes) {
    const children = boxes.map(([key, ...words]) => checkbox(name, key, value?.includes(key), ...words));
    return make("fieldset", { children: [make("legend", { text: label }), ...children] });
  }
  const kind = type === "number" ? { inputmode: "decimal" } : { autocomplete: "off" };
  const data = list ? { list: `${id}-list` } : {};
  const on = type === "number" ? { beforeinput: typePoint } : {};
  return make("input", { attributes: { id, name, type, value, ...kind, ...data, ...attributes }, on });
}

/** Types a point for a comma if numbers have a point here; the browser would drop the comma, and 1,5 would be 15. */
function typePoint(event) {
  if (!event.data?.includes(",") || !(1.5).toLocaleString().includes(".")) return;
  event.preventDefault();
  document.execCommand("insertText", false, event.data.replace(",", "."));
}

/** Makes a checkbox with a text, and perhaps with a hint that is shown once it is checked. */
function checkbox(name, value, checked, text, hint) {
  const box = make("input", { attributes: { type: "checkbox", name, value, checked } });
  const more = hint ? [make("small", { text: hint })] : [];
  return make("label", { children: [box, make("span", { text }), ...more] });
}

function makeField({ label, list, boxes, rows, hint }, input, id) {
  if (boxes || rows) return input;
  const choices = (list ?? []).map((value) => make("option", { attributes: { value } }));
  const children = [make("label", { text: label, attributes: { for: id } }), input];
  if (list) children.push(make("datalist", { attributes: { id: `${id}-list` }, children: choices }));
  if (hint) children.push(make("small", { text: hint }));
  return make("div", { attributes: { class: "field" }, children });
}

/** Makes a form with inputs, which shows the reason if `action` throws a problem. */
function makeForm({ fields = [], verb, action, isDangerous = false, onChange = () => {}, more = [] }) {
  const made = makeFields(fields, "ask");
  const problem = make("p", { attributes: { class: "problem", role: "alert" } });
  const button = make("button", { text: verb, attributes: { type: "submit", class: isDangerous ? "bad" : "log" } });
  const buttons = make("div", { attributes: { class: "buttons" }, children: [button, ...more] });
  const submit = async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await action(made.values());
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problem.textContent = error.message;
    } finally {
      button.disabled = false;
    }
  };
  onChange(made);
  return make("form", { children: [...made.elements, problem, buttons], on: { input: () => onChange(made), submit } });
}

/** Opens a dialog with a form; it closes once `action` is done. */
function ask({ title, text, action, ...form }) {
  const heading = make("h2", { text: title, attributes: { id: "ask-title" } });
  const close = () => dialog.close();
  const done = (values) => Promise.resolve(action(values)).then(close);
  const made = makeForm({ ...form, action: done, more: [makeButton("Cancel", close)] });
  const children = [heading, make("p", { text }), made];
  const dialog = make("dialog", { attributes: { "aria-labelledby": "ask-title" }, children });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
