// Draws /openapi.json with Swagger UI, and beside every operation how it is called from three languages.

import { samples } from "/docs/samples.js";

/** A body that the operation takes: its example, or that of the component which it names. */
function exampleBody(operation, components) {
  const content = operation.requestBody?.content?.["application/json"];
  if (!content) return undefined;
  if (content.examples) return Object.values(content.examples)[0].value;
  const named = (schema) => components[schema?.$ref?.split("/").at(-1)] ?? schema ?? {};
  const schema = named(content.schema);
  return (schema.examples ?? named(schema.oneOf?.[0]).examples ?? [{}])[0];
}

function Samples({ React, spec, path, method }) {
  const [language, choose] = React.useState("curl");
  const operation = spec.paths[path][method];
  const shown = samples({
    method: method.toUpperCase(),
    address: location.origin + path,
    needsToken: (operation.security ?? spec.security).length > 0,
    body: exampleBody(operation, spec.components.schemas),
  });
  const tab = (name) =>
    React.createElement("button", { key: name, "aria-pressed": name === language, onClick: () => choose(name) }, name);
  return React.createElement("div", { className: "samples" },
    React.createElement("h4", null, "Samples"),
    React.createElement("div", { role: "group", "aria-label": "Language" }, Object.keys(shown).map(tab)),
    React.createElement("pre", null, React.createElement("code", null, shown[language])));
}

/** Swagger UI shows a sample only after a call; here it stands above the answers from the beginning. */
const WithSamples = () => ({
  wrapComponents: {
    responses: (Original, { React, specSelectors }) => (props) =>
      React.createElement("div", null,
        React.createElement(Samples, { React, spec: specSelectors.specJson().toJS(), path: props.path, method: props.method }),
        React.createElement(Original, props)),
  },
});

window.ui = window.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#operations",
  deepLinking: true,
  docExpansion: "list",
  // Hundreds of components, most of them seen only where an answer names them.
  defaultModelsExpandDepth: -1,
  defaultModelRendering: "example",
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
  plugins: [WithSamples],
});
