// The laws of joins (core/join-components.ts), for ids that no image of the fuzzer has: up to 2^53.

import { joinComponents, meetingsAt, numberStrips } from "../checked/internal.js";

/** Throws if the joins of some meetings are wrong. */
export function checkJoins({ most, pairs, width, above, below, connectivity }) {
  const highest = 2 ** most - 1;
  const meetings = pairs.map(([a, b]) => [highest - a, highest - b]);
  const { ids, roots } = joinComponents(meetings);
  const lowest = spread(meetings);
  const expected = [...lowest].filter(([id, root]) => id !== root).sort(([a], [b]) => a - b);
  const found = Array.from(ids, (id, i) => [id, roots[i]]);
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`joins of ${JSON.stringify(meetings)} are ${JSON.stringify(found)}`);
  }
  if (most > 32) return;
  const labels = (side) => Uint32Array.from(side, (n) => (n ? highest - n : 0));
  const rows = connectivity > 8 || connectivity === 6 ? Math.floor(27 / width) : 1;
  const [one, two] = [above, below].map((side) => labels(side.slice(0, width * rows)));
  const sides = [
    { labels: one, first: 0 },
    { labels: two, first: 2 ** 40 },
  ];
  const given = new Set(
    Array.from(meetingsAt(...sides, width, connectivity), ([a, b]) => `${a + 1} ${b + 1 - 2 ** 40}`),
  );
  const wanted = new Set();
  one.forEach((a, i) => {
    two.forEach((b, k) => {
      const [dx, dy] = [(i % width) - (k % width), Math.floor(i / width) - Math.floor(k / width)].map(Math.abs);
      const reach = {
        4: dx + dy === 0,
        6: dx + dy === 0,
        8: dx < 2 && dy === 0,
        18: dx + dy < 2,
        26: dx < 2 && dy < 2,
      };
      if (a && b && reach[connectivity]) wanted.add(`${a} ${b}`);
    });
  });
  const missing = [...wanted].find((pair) => !given.has(pair)) ?? [...given].find((pair) => !wanted.has(pair));
  if (missing) throw new Error(`the meeting ${missing} is missing or too much`);
  checkNumbers(highest, pairs);
}

/** Strips of as many components as ids allow are numbered without gaps. */
function checkNumbers(highest, pairs) {
  const half = Math.floor(highest / 2);
  const met = pairs.map(([a, b]) => [half - 1 - (a % half), half + (b % half)]);
  const joins = joinComponents(met);
  const { bases, joined, count } = numberStrips([half, half], joins);
  if (count !== 2 * half - joins.ids.length) throw new Error(`${count} objects are left of ${2 * half}`);
  const before = (id) => joins.ids.filter((gone) => gone < id).length;
  joins.ids.forEach((id, i) => {
    const strip = id < half ? 0 : 1;
    const own = id - strip * half + 1;
    const at = joined[strip].findIndex((value, k) => k % 2 === 0 && value === own);
    const label = joins.roots[i] + 1 - before(joins.roots[i]);
    if (joined[strip][at + 1] !== label) throw new Error(`component ${own} of strip ${strip} is not ${label}`);
  });
  if (bases[1] !== half - before(half)) throw new Error(`the second strip begins at ${bases[1]}`);
}

function spread(meetings) {
  const roots = new Map(meetings.flat().map((id) => [id, id]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const [a, b] of meetings) {
      const least = Math.min(roots.get(a), roots.get(b));
      for (const id of [a, b]) {
        if (roots.get(id) !== least) changed = true;
        roots.set(id, least);
      }
    }
  }
  return roots;
}
