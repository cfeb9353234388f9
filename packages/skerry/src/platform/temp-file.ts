// A temporary file, whatever the platform.

/** Bytes by their place, gone when it is closed. */
export interface TempFile {
  read(at: number, into: Uint8Array): void;
  write(at: number, bytes: Uint8Array): void;
  close(): void;
}
