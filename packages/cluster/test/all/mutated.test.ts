// Stores, TIFF files and plans that were changed at random: metadata by fields, shards and headers by bytes, with checksums repaired. Each is
// read, or refused by a sentence within two seconds. SKERRY_SEED draws others, SKERRY_MUTATIONS more of them.

import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPicture, writeLabels } from "@skerry/files/node";
import { zarrSink, zarrSource } from "@skerry/files/zarr";
import { crc32c } from "@skerry/files/zarr/internal";
import { open } from "skerry";
import { expect, test } from "vitest";
import { parsePlan, plan } from "../../src/index.js";
import { random } from "../support/clock.js";

const seed = Number(process.env.SKERRY_SEED ?? 20261126);
const scale = Number(process.env.SKERRY_MUTATIONS ?? 1);
const folder = mkdtempSync(join(tmpdir(), "skerry-mutated-"));

type Json = { [name: string]: unknown };
const WEIRD = [
  null,
  -1,
  0,
  1,
  0.5,
  2 ** 31,
  2 ** 53,
  1e308,
  "",
  "x",
  "..",
  [],
  {},
  [[]],
  true,
  "NaN",
  [1, 2, 3, 4, 5, 6, 7],
];

const elsewhere = ([of, name]: readonly [Json, string]): unknown => of[name];

/** Changes, removes, repeats or adds something at a random place of a JSON value. */
function mutated(value: unknown, draw: () => number): unknown {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(draw() * list.length)];
  const places: [of: Json, name: string][] = [];
  const walk = (own: unknown): void => {
    if (typeof own !== "object" || own === null) return;
    for (const name of Object.keys(own)) {
      places.push([own as Json, name]);
      walk((own as Json)[name]);
    }
  };
  const copy = structuredClone(value);
  walk(copy);
  for (let n = 1 + Math.floor(draw() * 3); n > 0 && places.length > 0; n--) {
    const [of, name] = pick(places);
    const how = draw();
    if (how < 0.2) delete of[name];
    else if (how < 0.4) of[name] = structuredClone(elsewhere(pick(places)));
    else if (how < 0.5) of[`${name}x`] = of[name];
    else if (how < 0.7 && typeof of[name] === "number")
      of[name] = of[name] * pick([-1, 2, 1000, 1e6]) + pick([0, 1, 0.5]);
    else of[name] = pick(WEIRD);
  }
  return copy;
}

/** Runs a reading; returns what is wrong with how it ended. */
async function judged(name: string, work: () => Promise<unknown>): Promise<string | undefined> {
  const begin = performance.now();
  let said: string | undefined;
  try {
    await work();
  } catch (error) {
    const { name: kind, message } = error as Error;
    const isTold = ["ZarrError", "FileError", "UsageError", "ClusterError", "RecipeError", "OutOfMemory"].includes(
      kind,
    );
    if (!isTold || !/^[A-Z].*[.?]$/s.test(message) || /undefined|\[object/.test(message)) said = `${kind}: ${message}`;
  }
  const seconds = (performance.now() - begin) / 1000;
  if (seconds > 2) said = `${seconds.toFixed(1)} s${said ? `, ${said}` : ""}`;
  return said && `${said} ${name.slice(0, 1500)}`;
}

async function pixels(url: string): Promise<void> {
  const source = await zarrSource(url, { memory: 2 ** 28 });
  try {
    const { width, height, depth, channels = 1 } = source;
    if (width * height * depth * channels > 2 ** 20) return;
    const make = {
      u8: Uint8Array,
      u16: Uint16Array,
      i16: Int16Array,
      u32: Uint32Array,
      i32: Int32Array,
      f32: Float32Array,
    }[source.type];
    await source.read(0, depth, 0, height, new make(width * height * depth * channels), {});
  } finally {
    source.close();
  }
}

async function volume(path: string, version: "0.4" | "0.5", shards?: readonly number[]): Promise<void> {
  const sink = await zarrSink(path, {
    width: 20,
    height: 16,
    depth: 12,
    type: "u16",
    labels: false,
    version,
    chunks: [8, 8, 8],
    ...(shards ? { shards } : {}),
  });
  await sink.write(0, 12, 0, 16, new Uint16Array(20 * 16 * 12).map((_, i) => i * 7) as never);
  await sink.finish({});
}

test("stores with other metadata", async () => {
  const draw = random(seed);
  const wrong: string[] = [];
  for (const [i, version] of (["0.4", "0.5", "0.5"] as const).entries()) {
    const whole = join(folder, `m${i}.zarr`);
    await volume(whole, version, i === 2 ? [16, 16, 8] : undefined);
    const names = (readdirSync(whole, { recursive: true }) as string[]).filter((name) =>
      /(^|\/)(zarr\.json|\.z\w+)$/.test(name),
    );
    for (let n = 0; n < 90 * scale; n++) {
      const name = names[Math.floor(draw() * names.length)];
      const before = readFileSync(join(whole, name), "utf8");
      const text =
        draw() < 0.15
          ? before.slice(0, Math.floor(draw() * before.length))
          : JSON.stringify(mutated(JSON.parse(before), draw));
      writeFileSync(join(whole, name), text);
      const said = await judged(`${version} ${name} ${text.slice(0, 1500)}`, () => pixels(whole));
      if (said) wrong.push(said);
      writeFileSync(join(whole, name), before);
    }
  }
  expect(wrong).toEqual([]);
}, 600_000);

test("shards and chunks with other bytes", async () => {
  const draw = random(seed + 1);
  const wrong: string[] = [];
  for (const shards of [undefined, [16, 16, 16]]) {
    const whole = join(folder, `s${shards ? 1 : 0}.zarr`);
    await volume(whole, "0.5", shards);
    const names = (readdirSync(whole, { recursive: true }) as string[]).filter(
      (name) => name.startsWith("0/c/") && statSync(join(whole, name)).isFile(),
    );
    for (let n = 0; n < 120 * scale; n++) {
      const path = join(whole, names[Math.floor(draw() * names.length)]);
      const before = readFileSync(path);
      let bytes = Buffer.from(before);
      for (let k = 1 + Math.floor(draw() * 4); k > 0; k--)
        bytes[Math.floor(draw() * bytes.length)] = Math.floor(draw() * 256);
      if (shards) {
        const index = bytes.subarray(bytes.length - 4 - 128, bytes.length - 4);
        if (draw() < 0.6)
          index.writeBigUInt64LE(
            [0n, 2n ** 31n, 2n ** 53n + 1n, 2n ** 64n - 1n, 40n][Math.floor(draw() * 5)],
            8 * Math.floor(draw() * 16),
          );
        bytes.writeUInt32LE(crc32c(index), bytes.length - 4);
      }
      if (draw() < 0.2) bytes = bytes.subarray(0, Math.floor(draw() * bytes.length));
      writeFileSync(path, bytes);
      const said = await judged(`chunk ${bytes.toString("base64").slice(0, 400)}`, () => pixels(whole));
      if (said) wrong.push(said);
      writeFileSync(path, before);
    }
  }
  expect(wrong).toEqual([]);
}, 600_000);

test("TIFF files with other headers", async () => {
  const draw = random(seed + 2);
  const engine = await open({ device: "cpu", threads: 1 });
  const size = { width: 40, height: 30 };
  const objects = await engine.components({ data: new Uint8Array(1200).map((_, i) => i % 7), ...size }, {});
  const path = join(folder, "labels.tif");
  await writeLabels(path, objects);
  await engine.close();
  const before = readFileSync(path);
  const first = before.readUInt32LE(4);
  const entries = before.readUInt16LE(first);
  const wrong: string[] = [];
  for (let n = 0; n < 500 * scale; n++) {
    const bytes = Buffer.from(before);
    for (let k = 1 + Math.floor(draw() * 3); k > 0; k--) {
      const entry = first + 2 + 12 * Math.floor(draw() * entries);
      const how = draw();
      if (how < 0.3)
        bytes.writeUInt32LE([0, 1, 2 ** 16, 2 ** 31, 2 ** 32 - 1, bytes.length][Math.floor(draw() * 6)], entry + 8);
      else if (how < 0.5) bytes.writeUInt32LE([0, 2, 1000, 2 ** 28, 2 ** 32 - 1][Math.floor(draw() * 5)], entry + 4);
      else if (how < 0.6) bytes.writeUInt16LE(Math.floor(draw() * 14), entry + 2);
      else if (how < 0.7)
        bytes.writeUInt32LE([first, 0, 8, bytes.length - 1][Math.floor(draw() * 4)], first + 2 + 12 * entries);
      else bytes[Math.floor(draw() * (how < 0.9 ? first + 2 + 12 * entries : 16))] = Math.floor(draw() * 256);
    }
    writeFileSync(path, bytes);
    const said = await judged(
      `tiff ${bytes.subarray(0, 16).toString("hex")} ${bytes.subarray(first, first + 2 + 12 * entries).toString("hex")}`,
      async () => {
        const picture = await openPicture(path);
        if (!("data" in picture.pixels)) {
          const { width, height, depth = 1, channels = 1 } = picture.pixels;
          const values = width * height * depth * (channels ?? 1);
          if (values <= 2 ** 20) await picture.pixels.read(0, depth, 0, height, new Float32Array(values) as never, {});
        }
        await picture.close();
      },
    );
    if (said) wrong.push(said);
  }
  expect(wrong).toEqual([]);
}, 600_000);

test("plans with other fields", async () => {
  const draw = random(seed + 3);
  const input = join(folder, "p.zarr");
  await volume(input, "0.5");
  const made = await plan({
    recipe: {
      skerry: 1,
      operation: "components",
      options: { threshold: { above: 100 }, minArea: 3 },
      input: { crop: [0, 0, 0, 16, 16, 8] },
    },
    input,
    output: join(folder, "pl.zarr"),
    regions: join(folder, "t.csv"),
    block: [8, 8, 8],
  });
  const wrong: string[] = [];
  for (let n = 0; n < 1000 * scale; n++) {
    const changed = mutated(JSON.parse(JSON.stringify(made)), draw);
    const said = await judged(`plan ${JSON.stringify(changed)}`, async () => parsePlan(changed, "plan.json"));
    if (said) wrong.push(said);
  }
  expect(wrong).toEqual([]);
  await rm(folder, { recursive: true });
}, 600_000);
