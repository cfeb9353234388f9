// The two joins of fragments on the same meetings: the library's, which keeps only those that meet (sorted, 32 bytes a meeting), and
// the merge's forest, which has 4 bytes for every fragment. `node packages/cluster/bench/joins.mjs [fragments] [share that meets]`

import { joinComponents } from "skerry/internal";
import { Forest } from "../dist/steps/forest.js";

const fragments = Number(process.argv[2] ?? 4_000_000);
for (const share of process.argv[3] ? [Number(process.argv[3])] : [0.01, 0.1, 1]) {
  const count = Math.round(fragments * share);
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
  const left = Uint32Array.from({ length: count }, () => next() % fragments);
  // Fragments meet neighbours of theirs, as blocks do.
  const right = left.map((node) => Math.min(fragments - 1, node + 1 + (next() % 50)));
  const pairs = Array.from(left, (node, i) => [node, right[i]]);
  const timed = (work) => {
    const begin = performance.now();
    const found = work();
    return [performance.now() - begin, found];
  };
  const [sparse, { ids }] = timed(() => joinComponents(pairs));
  const bases = new Float64Array(8);
  const [dense, forest] = timed(() => {
    const made = new Forest(fragments);
    made.join(
      bases,
      left.map((node) => (node << 3) >>> 0),
      right.map((node) => (node << 3) >>> 0),
    );
    return made;
  });
  let gone = 0;
  for (let node = 0; node < fragments; node++) {
    if (node !== forest.rootOf(node)) gone++;
  }
  console.log(
    `${fragments} fragments, ${count} meetings: sparse ${sparse.toFixed(0)} ms and ${((count * 32) / 2 ** 20).toFixed(0)} MiB, forest ${dense.toFixed(0)} ms and ${((fragments * 4) / 2 ** 20).toFixed(0)} MiB; joined ${ids.length} and ${gone}`,
  );
}
