/** Serves a folder below `prefix` until it is closed; resolves to the address. */
export function serve(
  folder: string,
  options?: { port?: number; prefix?: string },
): Promise<{ address: string; close(): Promise<void> }>;
