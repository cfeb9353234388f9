// Numbers that a machine keeps between visits, in a browser: its storage for the site.

/** The text that was kept by a name; undefined if there is none, or the page has no storage. */
export function kept(name: string): string | undefined {
  try {
    return localStorage.getItem(`skerry ${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text. A page without storage, and a worker, keep nothing: it is measured again. */
export function keep(name: string, text: string): void {
  try {
    localStorage.setItem(`skerry ${name}`, text);
  } catch {
    // See above.
  }
}
