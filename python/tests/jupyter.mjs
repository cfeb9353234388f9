// Drives the widget in JupyterLab by a real browser: a picture goes in, the threshold is moved on the page, and the labels that Python computes
// from the recipe are those that the page has. python/test.sh starts it.
//
//     node python/tests/jupyter.mjs BIN FOLDER
//
// BIN holds the programs of an environment with jupyterlab, anywidget and skerry; FOLDER is empty, and takes the notebook.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [bin, folder] = process.argv.slice(2);
const executable = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(executable)) {
  console.log("no browser: the widget is not driven in JupyterLab");
  process.exit(process.env.SKERRY_REQUIRE_BROWSER === "1" ? 1 : 0);
}

const CELLS = [
  `import hashlib, numpy as np, skerry
y, x = np.mgrid[:120, :160]
image = np.where((x % 20 < 12) & (y % 20 < 12), 60 + x, 10).astype(np.uint8)
lab = skerry.Lab(image, height=560)
lab`,
  `labels = lab.labels
print("told", lab.count, labels.count, hashlib.sha256(labels.tobytes()).hexdigest(), lab.recipe["options"]["threshold"])`,
  `lab.recipe = {"skerry": 1, "operation": "components", "options": {"threshold": {"above": 200}, "connectivity": 4}}`,
  `print("again", lab.count, skerry.label(image, threshold={"above": 200}).count, lab.message)`,
  `second = skerry.Lab(image, recipe={"skerry": 1, "operation": "components", "options": {"threshold": {"above": 170}}}, name="second")
second`,
  `print("second", second.count, skerry.label(image, threshold={"above": 170}).count, second.recipe.get("options"), second.message)`,
];
const cell = (source, at) => ({
  id: `cell-${at}`,
  cell_type: "code",
  execution_count: null,
  metadata: {},
  outputs: [],
  source,
});
const kernelspec = { display_name: "Python 3", language: "python", name: "python3" };
writeFileSync(
  join(folder, "widget.ipynb"),
  JSON.stringify({ cells: CELLS.map(cell), metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 }),
);

const port = await new Promise((done) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});
const options = [
  "lab",
  "--no-browser",
  "--allow-root",
  `--port=${port}`,
  "--ip=127.0.0.1",
  "--LabApp.expose_app_in_browser=True",
];
const served = spawn(join(bin, "jupyter"), [...options, "--IdentityProvider.token=", "--ServerApp.password="], {
  cwd: folder,
  stdio: process.env.SKERRY_LOG ? "inherit" : "ignore",
  env: { ...process.env, JUPYTER_CONFIG_DIR: folder, JUPYTER_DATA_DIR: folder },
});
const browser = await chromium.launch({
  executablePath: executable,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--disable-gpu-watchdog"],
});
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const address = `http://127.0.0.1:${port}/lab/tree/widget.ipynb`;
  for (let tries = 0; ; tries++) {
    try {
      await page.goto(address);
      break;
    } catch (error) {
      if (tries === 60) throw error;
      await new Promise((done) => setTimeout(done, 500));
    }
  }
  await page.waitForFunction(
    () => globalThis.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === "idle",
    undefined,
    {
      timeout: 90_000,
    },
  );
  /** Runs a cell, and waits until the kernel has. */
  const runs = async (index) => {
    await page.evaluate(async (at) => {
      const { content } = globalThis.jupyterapp.shell.currentWidget;
      content.activeCellIndex = at;
      await globalThis.jupyterapp.commands.execute("notebook:run-cell");
    }, index);
  };
  const printed = (index) =>
    page.evaluate((at) => {
      const { outputs } = globalThis.jupyterapp.shell.currentWidget.content.widgets[at].model.sharedModel;
      return outputs.map(({ text, evalue }) => (Array.isArray(text) ? text.join("") : (text ?? evalue ?? ""))).join("");
    }, index);

  await runs(0);
  const frame = page.frameLocator('iframe[title="skerry lab"]');
  const settled = () => frame.locator('html[data-settled="true"]').waitFor({ state: "attached", timeout: 30_000 });
  await frame.getByTestId("count").filter({ hasText: /\d/ }).waitFor({ timeout: 30_000 });
  await settled();
  const threshold = frame.getByRole("spinbutton", { name: "Threshold", exact: true });
  await threshold.waitFor();
  await threshold.fill("140");
  // The page's own labels, by the channel that the widget uses.
  const own = await page.evaluate(async () => {
    const { contentWindow, src } = document.querySelector('iframe[title="skerry lab"]');
    const { arrays, facts, recipe } = await new Promise((done) => {
      addEventListener("message", ({ data, source }) => source === contentWindow && data.id === "test" && done(data));
      contentWindow.postMessage({ skerry: 1, id: "test", results: ["labels"] }, new URL(src).origin);
    });
    const hash = await crypto.subtle.digest("SHA-256", arrays[0].data);
    const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return { hex, count: facts.count, threshold: recipe.options.threshold };
  });
  assert.deepEqual(own.threshold, { above: 140 });
  assert.ok(own.count > 0);
  // The recipe reaches Python a moment after the page has it.
  let text = "";
  for (let tries = 0; tries < 20 && !text.includes("140"); tries++) {
    await runs(1);
    text = await printed(1);
  }
  assert.equal(text.trim(), `told ${own.count} ${own.count} ${own.hex} {'above': 140}`);
  // A recipe of Python's reaches the page.
  await runs(2);
  for (let tries = 0; tries < 100 && (await threshold.inputValue()) !== "200"; tries++) {
    await new Promise((done) => setTimeout(done, 100));
  }
  assert.equal(await threshold.inputValue(), "200");
  let again = "";
  for (let tries = 0; tries < 20; tries++) {
    await runs(3);
    again = await printed(3);
    const [, told, computed] = again.split(" ");
    if (told === computed) break;
  }
  // A recipe to begin with is the page's.
  await runs(4);
  let second = "";
  for (let tries = 0; tries < 40; tries++) {
    await new Promise((done) => setTimeout(done, 250));
    await runs(5);
    second = await printed(5);
    if (!second.startsWith("second 0 ")) break;
  }
  const [, onPage, inPython] = second.trim().split(" ");
  assert.equal(onPage, inPython);
  assert.match(second, /'above': 170/);
  const [, told, computed] = again.trim().split(" ");
  assert.equal(told, computed);
  assert.ok(Number(told) > 0);
  if (process.env.SKERRY_SEEN) await page.screenshot({ path: process.env.SKERRY_SEEN });
  console.log(`JupyterLab: ${own.count} objects above 140 and ${told} above 200, the same on the page and in Python`);
} finally {
  await browser.close();
  served.kill();
}
process.exit(0);
