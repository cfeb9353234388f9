// The errors that skerry throws on purpose. The message about an argument is one sentence: the expected value and the found one.
// Other messages state an event. `cause` is the underlying error.

/** Base of all errors that skerry throws on purpose. */
export class SkerryError extends Error {
  /** The name of the class. */
  override name = "SkerryError";
}

/** An argument, an option or input data is not valid for the call. */
export class InvalidArgument extends SkerryError {
  /** The name of the class. */
  override name = "InvalidArgument";
  /** The wrong argument, e.g. `"connectivity"` or `"threshold.above"`; undefined if there is no single one. */
  readonly argument: string | undefined;

  constructor(message: string, options: ErrorOptions & { readonly argument?: string } = {}) {
    super(message, options);
    this.argument = options.argument;
  }
}

/** The error for an automatic threshold of a raster without finite values, the same on every device. */
export function noFiniteError(): InvalidArgument {
  return new InvalidArgument(
    "Expected at least one finite value, within the mask if there is one, for an automatic threshold, got none.",
  );
}

/** The error for an array that was detached or shrank before its call ran, the same on every device. */
export function changedError(cause?: unknown): InvalidArgument {
  return new InvalidArgument(
    "Expected arrays to stay as they are until the call ends, but one was detached or its buffer shrank.",
    cause === undefined ? {} : { cause },
  );
}

/** The error of a handle's methods after `dispose()`. `handle` is e.g. "an image" or "components". */
export function disposedError(handle: string): InvalidArgument {
  return new InvalidArgument(`Could not use ${handle} after dispose().`);
}

/** Error for an array that engine.free() took back. */
export function freedError(): InvalidArgument {
  return new InvalidArgument("Could not use an array after engine.free() took it back.");
}

/** The error for a handle of another engine. */
export function foreignError(handle: string): InvalidArgument {
  return new InvalidArgument(`Expected ${handle} of this engine, got one of another engine.`);
}

/** The call is sound, but this version, device or size cannot serve it. */
export class Unsupported extends SkerryError {
  /** The name of the class. */
  override name = "Unsupported";
}

/** The GPU was lost, a worker thread ended, or the engine was closed. Handles on the lost device are unusable. */
export class DeviceLost extends SkerryError {
  /** The name of the class. */
  override name = "DeviceLost";
}

/** The call needs more memory than there is, or than its `memory` allows. */
export class OutOfMemory extends SkerryError {
  /** The name of the class. */
  override name = "OutOfMemory";
  /** Bytes that the call needs at least, if known. */
  readonly bytes: number | undefined;
  /** Bytes that the call may use: its `memory`, or the memory of the device. */
  readonly limit: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly bytes?: number; readonly limit?: number } = {}) {
    super(message, options);
    this.bytes = options.bytes;
    this.limit = options.limit;
  }
}

/** The error for a memory limit that is too low; `bytes` is the lowest limit that suffices. */
export function tooLittleMemory(bytes: number, limit: number | undefined, what: string): OutOfMemory {
  const megabytes = Math.ceil(bytes / 2 ** 20);
  return new OutOfMemory(
    limit === undefined
      ? `Expected ${what} to fit 4 GiB of WebAssembly memory, but it takes at least ${megabytes} MiB.`
      : `Expected memory of at least ${megabytes * 2 ** 20} bytes (${megabytes} MiB) for ${what}, got ${limit}.`,
    limit === undefined ? { bytes } : { bytes, limit },
  );
}
