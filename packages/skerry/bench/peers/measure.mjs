// How every peer written in JavaScript is timed: one cold call, one warm one, then the median of some.

/**
 * Times `work` and prints one line of JSON for the bench; slow work is repeated less often. A lap that has a name is
 * left out of the times. `results` are printed with them.
 */
export async function measure(columns, work, repeats = 21, results = () => ({})) {
  const cold = await once(work);
  const warm = await once(work);
  const many = total(warm) > 2000 ? 0 : total(warm) > 400 ? 5 : repeats;
  const runs = [];
  for (let i = 0; i < many; i++) runs.push(await once(work));
  if (runs.length === 0) runs.push(warm);
  const medians = columns.map((_, k) => median(runs.map((run) => run[k])));
  console.log(JSON.stringify({ columns, cold, medians, ...results() }));
}

export const median = (list) => list.slice().sort((a, b) => a - b)[list.length >> 1];

async function once(work) {
  const laps = [];
  let last = performance.now();
  await work((name) => {
    const now = performance.now();
    if (name === undefined) laps.push(now - last);
    last = performance.now();
  });
  return laps;
}

function total(laps) {
  return laps.reduce((sum, lap) => sum + lap, 0);
}
