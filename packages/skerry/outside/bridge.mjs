// Answers calls of another process on standard input with skerry. Both ways a message is one line of JSON, and then as many raw
// bytes as its arrays have: { op, dtype, shape, bytes, options } in, { ok, arrays: [{ name, dtype, shape, bytes }], facts } out, or
// { ok: false, error, message }. `shape` is [depth, height, width]; arrays are little-endian and in raster order.
//
// BRIDGE_BREAK=1 spoils every answer a little: a control that the tests look at the answers at all.

import { ARRAYS } from "@skerry/files/internal";
import { open, paint } from "../dist/index.js";

let spoiled = 0;
const spoil = process.env.BRIDGE_BREAK === "1";
const engine = await open({
  device: process.env.BRIDGE_DEVICE ?? "cpu",
  ...(process.env.BRIDGE_THREADS ? { threads: Number(process.env.BRIDGE_THREADS) } : {}),
});

/** JSON has no infinite numbers. */
const parse = (line) => JSON.parse(line, (_, value) => (value === "Infinity" ? Number.POSITIVE_INFINITY : value));

/** What `read` gets from a handle, which is freed then. (Node 20 does not know `using`.) */
async function freed(handle, read) {
  try {
    return await read(handle);
  } finally {
    handle.dispose();
  }
}

const OPERATIONS = {
  hello: async () => ({ facts: { device: engine.describe().device, threads: engine.describe().threads } }),

  // by: "value"; or a mask by its nonzero pixels, the other way to the same labels.
  async label(raster, { background, connectivity, threshold }) {
    const how = threshold === undefined ? { by: "value", background } : { threshold };
    return freed(await engine.components(raster, { ...how, connectivity }), async (blobs) => {
      const { data } = await blobs.labels();
      if (spoil) data[0] += 1;
      return { arrays: { labels: data }, facts: { count: blobs.count + (spoil ? 1 : 0) } };
    });
  },

  // The bits of the mask, in rows of whole words.
  async flood(raster, options) {
    return freed(await engine.fill(raster, options), async (patch) => {
      const { bits } = await patch.mask();
      if (spoil) bits[0] ^= 1;
      return { arrays: { bits }, facts: { foreground: patch.foreground } };
    });
  },

  async flood_fill(raster, { colour, ...options }) {
    return freed(await engine.fill(raster, options), async (patch) => {
      const { data } = await paint(raster, patch, colour, { into: raster });
      if (spoil) data[0] = data[0] === 0 ? 1 : 0;
      return { arrays: { data } };
    });
  },

  // To the nearest zero, as SciPy's.
  async edt(raster, { nearest }) {
    const map = await engine.distance(raster, { threshold: { between: [0, 0] }, nearest });
    if (spoil) {
      map.data[0] += 0.01 * ++spoiled; // SciPy's second test only compares answers with each other
      if (nearest) map.nearest[Math.floor(map.data.length / 2)] = 0;
    }
    return { arrays: { distances: map.data, ...(nearest ? { nearest: map.nearest } : {}) } };
  },
};

async function answer({ op, dtype, shape, spacing, options = {} }, body) {
  const operation = OPERATIONS[op];
  if (!operation) throw new Error(`Unknown operation ${op}.`);
  if (!shape) return operation();
  const [depth, height, width] = shape;
  const data = new ARRAYS[dtype](body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength));
  return operation({ data, width, height, depth, channels: 1, ...(spacing ? { spacing } : {}) }, options);
}

/** Writes, and waits where the reader is behind. */
const write = (bytes) =>
  new Promise((resolve, reject) => process.stdout.write(bytes, (error) => (error ? reject(error) : resolve())));

async function reply(header, body) {
  let arrays = [];
  let head;
  try {
    const { arrays: found = {}, facts = {} } = await answer(header, body);
    arrays = Object.values(found);
    const listed = Object.entries(found).map(([name, array]) => ({
      name,
      dtype: Object.keys(ARRAYS).find((type) => array instanceof ARRAYS[type]),
      bytes: array.byteLength,
    }));
    head = { ok: true, arrays: listed, facts };
  } catch (error) {
    head = { ok: false, error: error?.name ?? "Error", message: String(error?.message ?? error) };
  }
  await write(`${JSON.stringify(head)}\n`);
  for (const array of arrays) await write(new Uint8Array(array.buffer, array.byteOffset, array.byteLength).slice());
}

let held = [];
let size = 0;
let header;
for await (const chunk of process.stdin) {
  held.push(chunk);
  size += chunk.length;
  for (;;) {
    if (!header) {
      const all = Buffer.concat(held);
      held = [all];
      const end = all.indexOf(10);
      if (end < 0) break;
      header = parse(all.toString("utf8", 0, end));
      held = [all.subarray(end + 1)];
      size = all.length - end - 1;
    }
    const bytes = header.bytes ?? 0;
    if (size < bytes) break;
    const all = Buffer.concat(held);
    const [asked, body] = [header, all.subarray(0, bytes)];
    header = undefined;
    held = [all.subarray(bytes)];
    size = all.length - bytes;
    await reply(asked, body);
  }
}
await engine.close();
