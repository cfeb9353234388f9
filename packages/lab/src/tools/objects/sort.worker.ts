// Sorts objects by one number each, off the page's thread: sorting 250 000 objects takes longer than a frame.

/** Numbers by which objects are sorted, and the number of the request. */
export interface Asked {
  readonly id: number;
  readonly keys: Float64Array;
  readonly down: boolean;
}
export interface Sorted {
  readonly id: number;
  readonly order: Uint32Array;
}

addEventListener("message", ({ data: { id, keys, down } }: MessageEvent<Asked>) => {
  const sign = down ? -1 : 1;
  // Objects without a number come last.
  const rank = (value: number): number => (Number.isNaN(value) ? Number.POSITIVE_INFINITY : sign * value);
  const order = Uint32Array.from(keys.keys()).sort((a, b) => rank(keys[a]) - rank(keys[b]) || a - b);
  const answer: Sorted = { id, order };
  postMessage(answer, { transfer: [order.buffer] });
});
