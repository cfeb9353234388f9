// The order of file names: by the numbers in them, slice2 before slice10. Folders, patterns and the page have the same one.

let collator: Intl.Collator | undefined;

/** Compares two names by the numbers in them, for `sort()`. */
export function byNumbers(a: string, b: string): number {
  collator ??= new Intl.Collator("en", { numeric: true });
  return collator.compare(a, b);
}
