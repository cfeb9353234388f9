// Times the main thread's copies and fills, best of nine, for the first table of NOTES.md.
//
//     node packages/skerry/bench/copies.mjs

const MIB = 1 << 20;
const source = new Uint8Array(64 * MIB).fill(3);
const shared = new Uint8Array(new WebAssembly.Memory({ initial: 256, maximum: 256, shared: true }).buffer);
const unshared = new Uint8Array(new WebAssembly.Memory({ initial: 256 }).buffer);
const labels = new Uint32Array(64 * MIB).fill(1);
const bytes = new Uint8Array(labels.buffer);

function time(name, moved, work) {
  work();
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 9; i++) {
    const begin = performance.now();
    work();
    best = Math.min(best, performance.now() - begin);
  }
  console.log(
    `${name.padEnd(52)} ${best.toFixed(1).padStart(6)} ms ${(moved / best / 1e6).toFixed(1).padStart(6)} GB/s`,
  );
}

for (const [kind, ring] of [
  ["shared", shared],
  ["unshared", unshared],
]) {
  for (const band of [MIB / 4, MIB, 2 * MIB, 4 * MIB]) {
    const slots = (16 * MIB) / band;
    const each = (total, copy) => {
      for (let at = 0, slot = 0; at < total; at += band, slot = (slot + 1) % Math.min(5, slots)) copy(at, slot * band);
    };
    const size = `${band / MIB} MiB slots`;
    time(`64 MiB into ${kind} memory, ${size}`, 64 * MIB, () =>
      each(64 * MIB, (at, to) => ring.set(source.subarray(at, at + band), to)),
    );
    time(`256 MiB out of ${kind} memory, ${size}`, 256 * MIB, () =>
      each(256 * MIB, (at, from) => bytes.set(ring.subarray(from, from + band), at)),
    );
  }
}
for (const piece of [1, 16, 256]) {
  time(`256 MiB filled, ${piece} MiB at a time`, 256 * MIB, () => {
    const values = (piece * MIB) / 4;
    for (let at = 0; at < labels.length; at += values) labels.fill(7, at, at + values);
  });
}
