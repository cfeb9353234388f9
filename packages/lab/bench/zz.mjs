import sharp from "sharp";
import { address, browser, served, settled } from "./page.mjs";
const sizes = { 360: [360, 740], 844: [844, 390], 1280: [1280, 720], 1920: [1920, 1080], 3840: [3840, 2160] };
const wanted = process.argv[2]?.split(",");
const tool = async (page, name) => { await page.locator("nav").getByRole("button", { name, exact: true }).click(); await settled(page); };
const at = async (page, fx, fy) => { const b = await page.locator("canvas.picture").boundingBox(); return [b.x + b.width * fx, b.y + b.height * fy]; };
const states = {
  objects: async () => {},
  selected: async (page) => { await page.keyboard.press("Escape"); await page.keyboard.press("n"); await page.waitForTimeout(300); },
  filter: async (page) => { await page.getByText("Filter and plot").click().catch(() => {}); await page.waitForTimeout(600); },
  fill: async (page) => { await page.keyboard.press("Escape"); await tool(page, "Fill"); await page.mouse.click(...(await at(page, 0.3, 0.4))); await settled(page); },
  fence: async (page) => { await page.getByRole("button", { name: "Work inside" }).first().click(); await tool(page, "Objects"); },
  distance: async (page) => { await page.getByRole("button", { name: "Work everywhere" }).first().click(); await tool(page, "Distance"); await page.getByLabel("Lines every").fill("20"); await settled(page); },
  points: async (page) => { await page.getByLabel("Distances to").selectOption("points"); await page.mouse.click(...(await at(page, 0.35, 0.4))); await page.mouse.click(...(await at(page, 0.6, 0.5))); await settled(page); },
  colours: async (page) => { await tool(page, "Colours"); },
  compare: async (page) => { await tool(page, "Objects"); await page.getByRole("button", { name: "Compare", exact: true }).click(); await page.getByLabel("Smallest size").fill("100"); await settled(page); },
  save: async (page) => { await page.getByRole("button", { name: "Compare", exact: true }).click(); await page.getByRole("button", { name: "Save" }).first().click(); await page.waitForTimeout(400); },
  code: async (page) => { await page.keyboard.press("Escape"); await page.getByRole("button", { name: "Code", exact: true }).click(); await page.waitForTimeout(400); },
  help: async (page) => { await page.keyboard.press("Escape"); await page.getByRole("button", { name: /help|keys/i }).first().click(); await page.waitForTimeout(400); },
};
for (const [name, [width, height]] of Object.entries(sizes)) {
  if (wanted && !wanted.includes(name)) continue;
  const scheme = Number(name) % 3 ? "light" : "dark";
  const context = await browser.newContext({ viewport: { width, height }, serviceWorkers: "block", hasTouch: width < 900, colorScheme: name === "844" || name === "1920" ? "dark" : "light" });
  const page = await context.newPage(); page.setDefaultTimeout(20000);
  page.on("pageerror", (e) => console.log(name, "error", e.message));
  await page.goto(`${address}?device=cpu`); await settled(page); await page.waitForTimeout(500);
  const tiles = []; const w = width > height ? 960 : 360; 
  for (const [state, go] of Object.entries(states)) {
    try { await go(page); } catch (error) { console.log(name, state, error.message.split("\n")[0]); }
    const png = await page.screenshot();
    tiles.push(await sharp(png).resize({ width: width > height ? 900 : 360 }).png().toBuffer());
  }
  const meta = await sharp(tiles[0]).metadata(); const columns = width > height ? 2 : 6; 
  for (let part = 0; part * 6 < tiles.length; part++) {
    const own = tiles.slice(part * 6, part * 6 + 6); const rows = Math.ceil(own.length / columns);
    await sharp({ create: { width: columns * (meta.width + 8), height: rows * (meta.height + 8), channels: 3, background: "#f0f" } }).composite(own.map((input, i) => ({ input, left: (i % columns) * (meta.width + 8), top: Math.floor(i / columns) * (meta.height + 8) }))).png().toFile(`/tmp/shots/${name}-${part}.png`);
  }
  await context.close(); console.log("done", name);
}
await browser.close(); served.kill();
