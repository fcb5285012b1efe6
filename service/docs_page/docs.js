// Draws /openapi.json: every operation with its parameters, bodies and answers. Texts only, no markup of others.

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Text with `code` in back quotes and **strong** words. */
function prose(text) {
  const parts = (text || "").split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return parts.map((part) => {
    if (part.startsWith("`")) return make("code", {}, part.slice(1, -1));
    if (part.startsWith("**")) return make("strong", {}, part.slice(2, -2));
    return part;
  });
}

function paragraphs(text) {
  return (text || "").split(/\n\s*\n/).map((one) => make("p", {}, ...prose(one)));
}

const nameOf = (reference) => reference.slice(reference.lastIndexOf("/") + 1);

/** A schema as text; components that it names open on demand, once for each level. */
function schemaView(schema, components) {
  const box = make("div", {}, make("pre", {}, JSON.stringify(schema, null, 2)));
  const names = new Set();
  JSON.stringify(schema, (key, value) => {
    if (key === "$ref") names.add(nameOf(value));
    return value;
  });
  for (const name of names) {
    const more = make("details", {}, make("summary", {}, make("code", {}, name)));
    more.addEventListener("toggle", () => {
      if (more.open && more.childElementCount === 1) more.append(schemaView(components[name], components));
    });
    box.append(more);
  }
  return box;
}

function parameterTable(parameters) {
  if (!parameters.length) return null;
  const rows = parameters.map((one) =>
    make("tr", {}, make("td", {}, make("code", {}, one.name)), make("td", { class: "quiet" }, one.in),
      make("td", {}, ...prose(one.description))));
  return make("table", {}, ...rows);
}

function contents(content, components) {
  return Object.entries(content || {}).map(([kind, { schema }]) =>
    make("div", {}, make("p", { class: "quiet" }, kind), schema ? schemaView(schema, components) : null));
}

function answers(responses, components) {
  return Object.entries(responses).sort(([a], [b]) => a.localeCompare(b)).map(([status, answer]) =>
    make("details", {}, make("summary", {}, make("strong", {}, status), " ", answer.description || ""),
      ...contents(answer.content, components)));
}

function operationView(method, path, operation, shared, components) {
  const head = make("summary", {}, make("span", { class: `method ${method}` }, method.toUpperCase()),
    make("code", {}, path), " ", make("span", { class: "quiet" }, ...prose(operation.summary)));
  const body = operation.requestBody;
  return make("details", { id: operation.operationId || "" }, head, ...paragraphs(operation.description),
    parameterTable([...shared, ...(operation.parameters || [])]),
    body ? make("h4", {}, "Body") : null, ...(body ? paragraphs(body.description) : []),
    ...(body ? contents(body.content, components) : []),
    make("h4", {}, "Answers"), ...answers(operation.responses, components));
}

function draw(description) {
  const components = description.components.schemas;
  const groups = new Map((description.tags || []).map((tag) => [tag.name, [tag.description || "", []]]));
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (method === "parameters") continue;
      const tag = (operation.tags || [""])[0];
      if (!groups.has(tag)) groups.set(tag, ["", []]);
      groups.get(tag)[1].push(operationView(method, path, operation, methods.parameters || [], components));
    }
  }
  const sections = [...groups].filter(([, [, views]]) => views.length).map(([tag, [text, views]]) =>
    make("section", {}, make("h2", {}, tag), make("p", { class: "quiet" }, text), ...views));
  document.getElementById("operations").replaceChildren(...paragraphs(description.info.description), ...sections);
}

try {
  const answer = await fetch("/openapi.json");
  draw(await answer.json());
} catch {
  document.getElementById("operations").replaceChildren("The description cannot be read just now. Load the page again.");
}
