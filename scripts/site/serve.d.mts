/** Serves a folder below `prefix` until it is closed. Resolves to the address, and a function that closes it. */
export function serve(
  folder: string,
  options?: { port?: number; prefix?: string },
): Promise<{ address: string; close(): Promise<void> }>;
