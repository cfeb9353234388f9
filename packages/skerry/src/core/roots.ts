// The roots of sets that are kept as parents, for sets that are united one by one.

/**
 * The root of an element: the one that is its own parent. The whole way points to it afterwards, so that chains are followed once
 * (path compression; Tarjan, 1975).
 */
export function rootOf(parents: Uint32Array, element: number): number {
  let root = element;
  while (parents[root] !== root) root = parents[root];
  for (let at = element; at !== root; ) {
    const up = parents[at];
    parents[at] = root;
    at = up;
  }
  return root;
}
