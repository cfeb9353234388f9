// The union-find forest of the merge: its trees are objects. A node is a fragment of a block, and takes 4 bytes.
//
// The library's joinComponents keeps only fragments that meet, at 32 bytes a meeting: 1 MiB where the forest has 15 if one of a hundred
// meets, but 13 times the time if all do (bench/joins.mjs, 4 million fragments). So strips of a GPU, of which few meet, have
// that join, and blocks have this one.
//
// While pairs are joined, the root is the node with the smallest number in its tree, and its own parent. `settle` then flattens
// the trees, and makes each root point to the node with the object's first voxel. Afterwards only roots have a parent that is not
// smaller than themselves, so one array holds both. Nodes 0, 1 and 2 of one object, of which 1 has the first voxel:
//
//     joined   0 0 1        settled   1 0 0        rootOf 0 0 0        beginning 1 1 1

import { cornerOf, fragmentOf } from "./seams.js";

export class Forest {
  readonly #parents: Uint32Array;

  constructor(nodes: number) {
    this.#parents = new Uint32Array(nodes);
    for (let node = 0; node < nodes; node++) this.#parents[node] = node;
  }

  /**
   * Joins pairs of fragments in the blocks around a corner, given as codes. `bases` has the first node of each of these blocks.
   */
  join(bases: Float64Array, left: Uint32Array, right: Uint32Array): void {
    const parents = this.#parents;
    for (let i = 0; i < left.length; i++) {
      let one = bases[cornerOf(left[i])] + fragmentOf(left[i]);
      let other = bases[cornerOf(right[i])] + fragmentOf(right[i]);
      // Climbs from the higher of the two until they meet, and shortens the way (Rem's algorithm with splicing; Patwary 2010).
      for (;;) {
        const above = parents[one];
        const beside = parents[other];
        if (above === beside) break;
        if (above < beside) {
          parents[other] = above;
          if (beside === other) break;
          other = beside;
        } else {
          parents[one] = beside;
          if (above === one) break;
          one = above;
        }
      }
    }
  }

  /** Flattens the trees, with the position of the first voxel of each node. No pairs can be joined afterwards. */
  settle(first: Float64Array): void {
    const parents = this.#parents;
    for (let node = 0; node < parents.length; node++) {
      const parent = parents[node];
      if (parent === node) continue;
      // Parents have smaller numbers, so they are settled already.
      const above = parents[parent];
      let root = parent;
      let beginning = above;
      if (above < parent) {
        root = above;
        parents[node] = root;
        beginning = parents[root];
      }
      if (first[node] < first[beginning]) parents[root] = node;
    }
  }

  /** The root of a node, after `settle`. */
  rootOf(node: number): number {
    return Math.min(this.#parents[node], node);
  }

  /** The node whose first voxel begins the object of a root, after `settle`. */
  beginningOf(root: number): number {
    return this.#parents[root];
  }
}
