// Drives one Firefox by WebDriver BiDi for tests/web/firefox.py: each line of the input is one order as JSON,
// {"do": ..., ...}; each is answered by one line, {"told": ...} or {"problem": ...}. At the end of the input it closes.
// node firefox.mjs FOLDER FIREFOX PROFILE PATIENCE: where puppeteer-core is installed, the browser, a folder for its
// profile, and how many ms it waits for whatever is waited for.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [folder, executablePath, userDataDir, patience] = process.argv.slice(2);
const puppeteer = createRequire(`${folder}/`)("puppeteer-core");
const PATIENCE = Number(patience);
const PAUSE = 40; // ms between two looks

const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath,
  userDataDir,
  headless: true,
  protocolTimeout: PATIENCE,
  extraPrefsFirefox: { "layout.css.prefers-color-scheme.content-override": 1 }, // by day, whatever the machine says
});
let context = null;
let page = null;
let errors = [];

/** What *look* answers as soon as it is something; what a page that changes meanwhile refuses is tried again. */
async function until(look, what) {
  const end = Date.now() + PATIENCE;
  let problem = "";
  for (;;) {
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      problem = ` (${error.message})`;
    }
    if (Date.now() > end) throw new Error(`waited in vain for ${what}${problem}`);
    await new Promise((done) => setTimeout(done, PAUSE));
  }
}

const evaluate = (code, arg = null) => page.evaluate(`(${code})(${JSON.stringify(arg)})`);

/** A point of the element that lies in sight and that no other element covers, as soon as it stands still. */
const POINT = `async ({ selector, nth }) => {
  const element = document.querySelectorAll(selector)[nth];
  if (!element) return null;
  element.scrollIntoView({ block: "nearest", inline: "nearest" });
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const place = () => element.getBoundingClientRect();
  const before = place();
  await frame();
  await frame();
  const box = place();
  if (!box.width || ["x", "y", "width", "height"].some((side) => box[side] !== before[side])) return null;
  const parts = [0.5, 0.3, 0.7, 0.1, 0.9];
  for (const down of parts)
    for (const across of parts) {
      const [x, y] = [box.x + box.width * across, box.y + box.height * down];
      if (element.contains(document.elementFromPoint(x, y))) return { x, y };
    }
  return null;
}`;

const point = (selector, nth = 0) =>
  until(() => evaluate(POINT, { selector, nth }), `a place where the mouse hits ${selector}, number ${nth}`);

const orders = {
  /** A page of its own, with an empty memory but for what *kept* puts into its localStorage. */
  async open({ width, height, kept }) {
    await context?.close();
    errors = [];
    context = await browser.createBrowserContext();
    page = await context.newPage();
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.setViewport({ width, height });
    await page.evaluateOnNewDocument((all) => {
      for (const [key, value] of Object.entries(all)) localStorage.setItem(key, value);
    }, kept);
  },
  goto: ({ url }) => page.goto(url, { waitUntil: "domcontentloaded", timeout: PATIENCE }).then(() => null),
  resize: ({ width, height }) => page.setViewport({ width, height }),
  evaluate: ({ code, arg }) => evaluate(code, arg),
  wait: ({ code, arg }) => until(() => evaluate(code, arg), `${code} of ${JSON.stringify(arg)}`),
  async click({ selector, nth }) {
    const { x, y } = await point(selector, nth);
    await page.mouse.click(x, y);
  },
  async hover({ selector, nth }) {
    const { x, y } = await point(selector, nth);
    await page.mouse.move(x, y);
  },
  async press({ key }) {
    const keys = key.split("+").map((each) => each || "+");
    for (const each of keys) await page.keyboard.down(each);
    for (const each of keys.reverse()) await page.keyboard.up(each);
  },
  picture: ({ path }) => page.screenshot({ path }).then(() => null),
  errors: () => errors,
};

const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

say({ told: { pid: browser.process().pid, version: await browser.version() } });
for await (const line of createInterface({ input: process.stdin })) {
  const { do: name, ...more } = JSON.parse(line);
  try {
    say({ told: (await orders[name](more)) ?? null });
  } catch (error) {
    const seen = await page?.evaluate("document.body.innerText.replace(/\\s+/g, ' ').slice(0, 400)").catch(() => "nothing");
    say({ problem: `${name}: ${error.message}; the page ${page?.url()} shows: ${seen}` });
  }
}
await browser.close();
process.exit(0);
