// The interface of a temporary file, on every platform.

/** Bytes at offsets; `close()` deletes them. */
export interface TempFile {
  read(at: number, into: Uint8Array): void;
  write(at: number, bytes: Uint8Array): void;
  close(): void;
}
