// Renders the pictures of docs/first-answer whose truth is known by construction, from seeded random numbers. Each stands for a kind of
// picture on which a rule about the first answer may fail.
//
//     node scripts/docs/first-answer-pictures.mjs [FOLDER]

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { random as bits } from "@skerry/scenes";
import sharp from "sharp";

const folder = process.argv[2] ?? fileURLToPath(new URL("../../docs/first-answer", import.meta.url));

/** Random numbers from 0 to 1. */
function random(seed) {
  const next = bits(seed);
  return () => next() / 2 ** 32;
}

/** A picture of colours, and the objects that were drawn: [x, y, area]. */
class Drawing {
  objects = [];
  constructor(width, height, ground) {
    Object.assign(this, { width, height, data: new Float64Array(width * height * 3) });
    for (let at = 0; at < width * height; at++) this.data.set(ground(at % width, Math.floor(at / width)), at * 3);
  }

  /** Blends a colour over the pixels of a shape, given by its signed distance in pixels, and counts it as an object. */
  add(x, y, reach, distance, colour, { soft = 1, counts = true } = {}) {
    let area = 0;
    for (let j = Math.max(0, Math.floor(y - reach)); j <= Math.min(this.height - 1, y + reach); j++) {
      for (let i = Math.max(0, Math.floor(x - reach)); i <= Math.min(this.width - 1, x + reach); i++) {
        const cover = Math.min(1, Math.max(0, 0.5 - distance(i - x, j - y) / soft));
        if (cover >= 0.5) area++;
        const at = (j * this.width + i) * 3;
        for (let c = 0; c < 3; c++) this.data[at + c] += (colour[c] - this.data[at + c]) * cover;
      }
    }
    if (counts) this.objects.push([Math.round(x), Math.round(y), area]);
  }

  async save(name, what, { grain, seed, grey = false }) {
    const next = random(seed);
    const { width, height } = this;
    const bytes = new Uint8Array(width * height * 3);
    for (let at = 0; at < bytes.length; at++) {
      const noise = grey && at % 3 > 0 ? 0 : grain * (next() + next() + next() - 1.5);
      bytes[at] = Math.max(0, Math.min(255, Math.round(this.data[at] + noise)));
    }
    const values = grey ? bytes.filter((_, at) => at % 3 === 0) : bytes;
    const image = sharp(values, { raw: { width, height, channels: grey ? 1 : 3 } });
    await (grey ? image.toColourspace("b-w") : image).png({ compressionLevel: 9 }).toFile(join(folder, `${name}.png`));
    const truth = {
      name,
      what,
      source: "scripts/docs/first-answer-pictures.mjs",
      licence: "MIT",
      commit: true,
      truth: "rendered",
      width,
      height,
      count: this.objects.length,
      objects: this.objects,
    };
    await writeFile(join(folder, `${name}.json`), `${JSON.stringify(truth)}\n`);
  }
}

const grey = (value) => [value, value, value];
const disc = (radius) => (x, y) => Math.hypot(x, y) - radius;

/** Places that keep apart by `gap` beyond their radii. */
function scattered(count, next, { width, height, radius, gap, within = () => true }) {
  const placed = [];
  for (let tries = 0; placed.length < count && tries < count * 400; tries++) {
    const r = radius(next());
    const x = r + 3 + next() * (width - 2 * r - 6);
    const y = r + 3 + next() * (height - 2 * r - 6);
    if (within(x, y, r) && placed.every((p) => Math.hypot(p.x - x, p.y - y) > p.r + r + gap)) placed.push({ x, y, r });
  }
  return placed;
}

/** A dish of a thousand colonies, most of them below 10 pixels. */
async function colonies() {
  const next = random(101);
  const [cx, cy, rim] = [450, 450, 425];
  const image = new Drawing(900, 900, (x, y) => grey(Math.hypot(x - cx, y - cy) < rim ? 96 : 22));
  image.add(cx, cy, rim + 8, (x, y) => Math.abs(Math.hypot(x, y) - rim) - 4, grey(150), { counts: false });
  const inside = (x, y, r) => Math.hypot(x - cx, y - cy) < rim - 14 - r;
  const radius = (u) => (u < 0.89 ? 1.1 + 0.6 * next() : 2 + 3 * next());
  for (const { x, y, r } of scattered(1000, next, { width: 900, height: 900, radius, gap: 2.5, within: inside })) {
    image.add(x, y, r + 3, disc(r), grey(205));
  }
  await image.save("colonies-thousand", "pale colonies in a dish, most below 10 pixels", {
    grain: 10,
    seed: 1,
    grey: true,
  });
}

/** Dense spots of a fluorescence picture, of one to a few pixels, over a glow. */
async function spots() {
  const next = random(102);
  const image = new Drawing(512, 512, (x, y) => grey(18 + 26 * Math.exp(-((x - 300) ** 2 + (y - 220) ** 2) / 60000)));
  for (const { x, y } of scattered(420, next, { width: 512, height: 512, radius: () => 2, gap: 5 })) {
    const peak = 90 + 120 * next();
    image.add(x, y, 6, (dx, dy) => 0.5 - Math.exp(-(dx * dx + dy * dy) / 4.5), grey(peak), { soft: 1 });
  }
  await image.save("spots-dense", "small bright spots over a glow", { grain: 9, seed: 2, grey: true });
}

/** Discs within a thin line around the picture. */
async function framed() {
  const next = random(103);
  const image = new Drawing(640, 420, (x, y) =>
    Math.min(x, y, 639 - x, 419 - y) < 3 ? [20, 20, 20] : [238, 236, 228],
  );
  for (const { x, y, r } of scattered(23, next, { width: 620, height: 400, radius: (u) => 14 + 16 * u, gap: 9 })) {
    image.add(x + 10, y + 10, r + 3, disc(r), [70 + 60 * next(), 40, 50 + 90 * next()]);
  }
  await image.save("discs-framed", "dark discs inside a thin dark frame line", { grain: 12, seed: 3 });
}

/** Letters of strokes on paper whose light falls off. */
async function paper() {
  const next = random(104);
  const image = new Drawing(700, 460, (x, y) => {
    const light = 232 - 150 * ((x / 700) ** 1.5 * 0.7 + (y / 460) * 0.3);
    return [light, light * 0.98, light * 0.9];
  });
  for (let row = 0; row < 9; row++) {
    for (let x = 30; x < 660; x += 20 + 6 * next()) {
      if (next() < 0.14) continue;
      const y = 36 + row * 47;
      const points = [
        [-5, -9],
        [-5, 9],
        [5, -9],
        [5, 9],
        [0, -9],
        [0, 9],
        [-5, 0],
        [5, 0],
      ];
      const from = points[Math.floor(next() * 4)];
      const over = points[4 + Math.floor(next() * 4)];
      const to = points[Math.floor(next() * 4)];
      const part = ([ax, ay], [bx, by], px, py) => {
        const t = Math.min(
          1,
          Math.max(0, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)),
        );
        return Math.hypot(px - ax - t * (bx - ax), py - ay - t * (by - ay)) - 1.3;
      };
      const letter = (px, py) => Math.min(part(from, over, px, py), part(over, to, px, py));
      const at = (y * 700 + Math.round(x)) * 3;
      const ink = image.data[at] * 0.42;
      image.add(x, y, 16, letter, [ink, ink, ink]);
      // The place of a letter is on its stroke, not in the middle of its box.
      const object = image.objects[image.objects.length - 1];
      [object[0], object[1]] = [Math.round(x + over[0]), Math.round(y + over[1])];
    }
  }
  await image.save("letters-uneven-paper", "thin letters on paper whose light falls off", { grain: 10, seed: 4 });
}

/** Candies of five colours, some of the paper's brightness, which touch. */
async function candies() {
  const next = random(105);
  const image = new Drawing(720, 540, (x, y) => [226 - x / 60, 226 - y / 50, 224]);
  const colours = [
    [214, 40, 46],
    [250, 216, 40],
    [70, 170, 70],
    [60, 110, 214],
    [244, 150, 40],
  ];
  const placed = [];
  for (let tries = 0; placed.length < 60 && tries < 40000; tries++) {
    const [x, y] = [50 + next() * 620, 50 + next() * 440];
    const near = placed.map((p) => Math.hypot(p.x - x, p.y - y));
    const least = Math.min(Number.POSITIVE_INFINITY, ...near);
    // Half of them touch a neighbour.
    if (least < 46 || (placed.length % 2 === 1 && least > 47.5)) continue;
    placed.push({ x, y });
  }
  for (const [i, { x, y }] of placed.entries()) {
    image.add(x, y, 27, disc(23.5), colours[i % 5]);
    image.add(x - 7, y - 8, 9, disc(5), grey(250), { soft: 8, counts: false });
  }
  await image.save("candies-touching", "candies of five colours on pale paper, half of them touching", {
    grain: 9,
    seed: 5,
  });
}

/** Objects of uneven outline that do not touch, so that no split may part them. */
async function splinters() {
  const next = random(106);
  const image = new Drawing(600, 480, () => grey(60));
  for (const { x, y, r } of scattered(31, next, { width: 600, height: 480, radius: (u) => 18 + 14 * u, gap: 6 })) {
    const [lobes, turn, depth] = [2 + Math.floor(next() * 3), next() * 6.3, 0.3 + 0.25 * next()];
    const shape = (dx, dy) => {
      const angle = Math.atan2(dy, dx);
      return Math.hypot(dx, dy) - r * (1 - depth * (0.5 + 0.5 * Math.cos(lobes * angle + turn)));
    };
    image.add(x, y, r + 3, shape, grey(150 + 50 * next()));
  }
  await image.save("splinters-apart", "notched shapes that do not touch", { grain: 16, seed: 6, grey: true });
}

for (const render of [colonies, spots, framed, paper, candies, splinters]) await render();
