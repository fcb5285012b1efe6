// How an operation is called from a shell, from Python and from JavaScript, each with nothing to install.

const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const json = (value) => JSON.stringify(value);
/** A value as Python writes it. */
const python = (value) => {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object") return `{${Object.entries(value).map(([k, v]) => `${json(k)}: ${python(v)}`).join(", ")}}`;
  return json(value);
};

/** `{curl, Python, JavaScript}`: programs that print the answer; the token is in TOKEN. */
export function samples({ method, address, needsToken, body }) {
  const sends = body !== undefined;
  const curl = [`curl -sS -X ${method} ${quoted(address)}`];
  if (needsToken) curl.push(`-H "Authorization: Bearer $TOKEN"`);
  if (sends) curl.push(`-H 'Content-Type: application/json'`, `-d ${quoted(json(body))}`);
  const inPython = [
    ...(sends ? ["import json"] : []),
    ...(needsToken ? ["import os"] : []),
    "from urllib.request import Request, urlopen",
    "",
    `request = Request(${json(address)}, method=${json(method)})`,
    ...(needsToken ? [`request.add_header("Authorization", "Bearer " + os.environ["TOKEN"])`] : []),
    ...(sends ? [`request.add_header("Content-Type", "application/json")`, `request.data = json.dumps(${python(body)}).encode()`] : []),
    "print(urlopen(request).read().decode())",
  ];
  const headers = [
    ...(needsToken ? ["Authorization: `Bearer ${process.env.TOKEN}`"] : []),
    ...(sends ? [`"Content-Type": "application/json"`] : []),
  ];
  const inJavaScript = [
    `const answer = await fetch(${json(address)}, {`,
    `  method: ${json(method)},`,
    ...(headers.length ? [`  headers: { ${headers.join(", ")} },`] : []),
    ...(sends ? [`  body: JSON.stringify(${json(body)}),`] : []),
    "});",
    "console.log(await answer.text());",
  ];
  return { curl: curl.join(" \\\n  "), Python: inPython.join("\n"), JavaScript: inJavaScript.join("\n") };
}
