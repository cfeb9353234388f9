// Calls of an image editor on a rendered photograph of 12 Mpx, RGBA: a wand beside fills, paint and recolour beside a copy, and
// the first calls of an engine with and without prepare(). Run by `node packages/skerry/bench/edit.mjs [--device gpu]`.

import { open } from "skerry";

const device = process.argv.includes("--device") ? process.argv[process.argv.indexOf("--device") + 1] : "cpu";
const [width, height] = [4000, 3000];

/** Slow waves of light with grain, so that a fill reaches all pixels through ragged borders. */
function photograph() {
  const data = new Uint8Array(width * height * 4);
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      const light = 120 + 40 * Math.sin(x / 300) + 40 * Math.cos(y / 250);
      for (let c = 0; c < 3; c++) data[i + c] = light + c * 5 + (random() - 0.5) * 14;
      data[i + 3] = 255;
    }
  }
  return { data, width, height, channels: 4 };
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Milliseconds of the median of some runs after one that does not count. */
async function timed(work, runs = 7) {
  const all = [];
  for (let i = -1; i < runs; i++) {
    const begin = performance.now();
    const made = await work();
    if (i >= 0) all.push(performance.now() - begin);
    made?.dispose?.();
  }
  return median(all);
}

/** The longest stretch without a turn of the event loop while `work` runs, in milliseconds. */
async function longestStretch(work) {
  const { port1, port2 } = new MessageChannel();
  let last = performance.now();
  let running = true;
  const stretches = [];
  port2.onmessage = () => {
    const now = performance.now();
    stretches.push(now - last);
    last = now;
    if (running) port1.postMessage(0);
  };
  port1.postMessage(0);
  await work();
  running = false;
  port1.close();
  return Math.max(...stretches);
}

const photo = photograph();
const seeds = [[2000, 1500]];
const tolerance = 255;
const rows = [];
const row = (what, milliseconds, note = "") => rows.push({ what, milliseconds: Number(milliseconds.toFixed(1)), note });

{
  const engine = await open({ device });
  const image = await engine.load(photo);
  const fill = await timed(() => engine.fill(image, { seeds, tolerance }));
  row("fill of all pixels", fill);
  const wand = await timed(() => engine.wand(image, { seeds }));
  row("wand", wand, `${(wand / fill).toFixed(1)} fills`);
  const own = await engine.wand(image, { seeds });
  row("wand.at()", await timed(() => own.at(tolerance)));
  const begin = performance.now();
  await own.areas();
  row("wand.areas(), once", performance.now() - begin);
  const objects = await engine.components(photo, { threshold: { above: 100 } });
  const classes = await engine.kmeans(photo, { k: 6 });
  row("copy of the picture, fresh memory", await timed(() => photo.data.slice()));
  const painting = () => engine.paint(photo, objects, [255, 0, 0], { opacity: 0.5 });
  row("paint", await timed(painting), `at most ${(await longestStretch(painting)).toFixed(1)} ms between two turns`);
  const into = { ...photo, data: photo.data.slice() };
  row("paint into an array", await timed(() => engine.paint(photo, objects, [255, 0, 0], { opacity: 0.5, into })));
  const recolouring = () => engine.recolour(classes, { alpha: true });
  row(
    "recolour",
    await timed(recolouring),
    `at most ${(await longestStretch(recolouring)).toFixed(1)} ms between two turns`,
  );
  await engine.close();
}

const grey = { data: photo.data.filter((_, i) => i % 4 === 1), width, height };
const calls = {
  components: async (engine, image) => {
    const found = await engine.components(image, { threshold: { above: 100 }, connectivity: 8 });
    await found.regions();
    return found;
  },
  distance: (engine, image) => engine.distance(image, { threshold: { above: 100 } }),
  kmeans: (engine, image) => engine.kmeans(image, { k: 6 }),
};
for (const [name, call] of Object.entries(calls)) {
  for (const prepared of [false, true]) {
    const engine = await open({ device });
    const image = await engine.load(grey);
    if (prepared) await engine.prepare([name]);
    const times = [];
    for (let i = 0; i < 6; i++) {
      const begin = performance.now();
      const made = await call(engine, image);
      times.push(performance.now() - begin);
      made?.dispose?.();
    }
    const [first, second] = times;
    const note = `second ${second.toFixed(1)}, ratio ${(first / second).toFixed(1)}, median of later ones ${median(times.slice(1)).toFixed(1)}`;
    row(`first ${name} ${prepared ? "after prepare()" : "without"}`, first, note);
    await engine.close();
  }
}
console.table(rows);
