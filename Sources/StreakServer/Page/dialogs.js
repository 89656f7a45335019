/** Makes labelled inputs; `values()` returns what was typed, without inputs that are empty. */
function makeFields(fields, prefix) {
  const inputs = fields.map((field) => makeInput(field, `${prefix}-${field.name}`));
  const elements = fields.map((field, index) => makeField(field, inputs[index], `${prefix}-${field.name}`));
  const value = (field, input) => {
    if (field.type === "checkbox") return input.checked || undefined;
    if (field.type === "days") return [...input.querySelectorAll("input:checked")].map((box) => box.value);
    return field.type === "number" && input.value !== "" ? Number(input.value) : input.value.trim() || undefined;
  };
  const values = () => {
    const all = fields.map((field, index) => [field.name, value(field, inputs[index])]);
    return Object.fromEntries(all.filter(([, one]) => one !== undefined));
  };
  return { elements, values, inputs: Object.fromEntries(fields.map((field, index) => [field.name, inputs[index]])) };
}

function makeInput({ name, type = "text", options, list, value, label, hint, days, ...attributes }, id) {
  if (options) {
    const children = options.map(([key, text]) => make("option", { text, attributes: { value: key, selected: key === value } }));
    return make("select", { attributes: { id, name, ...attributes }, children });
  }
  if (type === "days") {
    return make("fieldset", {
      children: [make("legend", { text: label }), ...days.map(([key, text]) => checkbox(name, key, text, value?.includes(key)))],
    });
  }
  const kind = type === "number" ? { inputmode: "decimal" } : { autocomplete: "off" };
  const checked = type === "checkbox" ? { checked: Boolean(value) } : { value };
  const data = list ? { list: `${id}-list` } : {};
  return make("input", { attributes: { id, name, type, ...kind, ...checked, ...data, ...attributes } });
}

const checkbox = (name, value, text, checked) =>
  make("label", { children: [make("input", { attributes: { type: "checkbox", name, value, checked } }), text] });

function makeField({ label, list, type, hint }, input, id) {
  if (type === "days") return input;
  const choices = (list ?? []).map((value) => make("option", { attributes: { value } }));
  const children = [make("label", { text: label, attributes: { for: id } }), input];
  if (list) children.push(make("datalist", { attributes: { id: `${id}-list` }, children: choices }));
  if (hint) children.push(make("small", { text: hint }));
  return make("div", { attributes: { class: "field" }, children });
}

/** Opens a dialog with inputs; it stays open, with the reason, if `action` throws a problem. */
function ask({ title, text, fields = [], verb, action, isDangerous = false, onChange = () => {} }) {
  const made = makeFields(fields, "ask");
  const problem = make("p", { attributes: { class: "problem", role: "alert" } });
  const submit = make("button", { text: verb, attributes: { type: "submit", class: isDangerous ? "bad" : "log" } });
  const cancel = makeButton("Cancel", () => dialog.close());
  const buttons = make("div", { attributes: { class: "buttons" }, children: [submit, cancel] });
  const form = make("form", {
    children: [make("h2", { text: title, attributes: { id: "ask-title" } }), ...(text ? [make("p", { text })] : []), ...made.elements, problem, buttons],
    on: { input: () => onChange(made), submit: (event) => submitForm(event) },
  });
  const dialog = make("dialog", { attributes: { "aria-labelledby": "ask-title" }, children: [form] });
  dialog.addEventListener("close", () => dialog.remove());

  async function submitForm(event) {
    event.preventDefault();
    submit.disabled = true;
    try {
      await action(made.values());
      dialog.close();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problem.textContent = error.message;
    } finally {
      submit.disabled = false;
    }
  }

  document.body.append(dialog);
  onChange(made);
  dialog.showModal();
}
