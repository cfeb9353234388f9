// The known word that a misspelt one stands for.

/** The known name with the fewest edits from a given one, if these are few and no other has as few, or the only one that begins with it. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const plain = given.toLowerCase().replace(/[_-]/g, "");
  // perimeter_crofton is a kind of crofton.
  const last = given.split(/[_-]/).at(-1)?.toLowerCase();
  const kind = known.find((name) => name.length > 4 && name.toLowerCase() === last && name.toLowerCase() !== plain);
  if (kind !== undefined) return kind;
  // major_axis_length begins with majorAxis.
  const [longest] = known
    .filter((name) => name.length > 4 && plain.startsWith(name.toLowerCase()) && plain.length > name.length)
    .sort((a, b) => b.length - a.length);
  if (longest !== undefined) return longest;
  const begun = known.filter((name) => given.length > 2 && name.toLowerCase().startsWith(given.toLowerCase()));
  if (begun.length === 1) return begun[0];
  const [best, second] = known
    .map((name) => ({ name, edits: editsBetween(given.toLowerCase().slice(0, 40), name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  if (!best || best.edits === second?.edits) return undefined;
  // Dashes and the names of records, as in options.seeds, are no letters of the word.
  const bare = (name: string): number => name.replace(/^-+|^.*\./, "").length;
  const length = Math.min(bare(best.name), bare(given));
  return best.edits <= Math.max(1, Math.floor(length / 3)) ? best.name : undefined;
}

/** The number of letters inserted, deleted, replaced, or exchanged with the next one (F. J. Damerau, 1964; V. Levenshtein, 1966). */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchanged = isExchanged ? before[j - 2] + 1 : replaced;
      next.push(Math.min(replaced, exchanged, row[j] + 1, next[j - 1] + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length];
}
