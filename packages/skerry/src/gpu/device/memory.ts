// Memory of the device: a pool of reusable buffers, staging buffers for uploads and read-backs, and the only place that
// detects out-of-memory.

import { bytesOfBuffer, checkBytes } from "../../core/allocation.js";
import { OutOfMemory, Unsupported } from "../../types/errors.js";
import type { Device } from "./device.js";
import { BUFFER_USAGE, MAP_MODE } from "./flags.js";

/** Bytes that pass through one staging buffer at a time; the main thread copies no more than this at once. */
export const STAGING_BYTES = 4 << 20;

/** Staging buffers of each kind: one is filled while others are in transit. */
const STAGING_BUFFERS = 8;

/** Unused buffers are destroyed after this long without a call. */
const IDLE_MILLISECONDS = 2000;

const STORAGE = BUFFER_USAGE.STORAGE | BUFFER_USAGE.COPY_SRC | BUFFER_USAGE.COPY_DST;

/** Rounds a size up to a multiple of an eighth of its power of two, so that requests of similar size share buffers. */
function roundedSize(bytes: number): number {
  const step = Math.max(256, 2 ** (Math.floor(Math.log2(Math.max(1, bytes))) - 3));
  return Math.max(256, Math.ceil(bytes / step) * step);
}

/** Totals of the main thread's copies from and to staging buffers. */
export interface Meter {
  bytes: number;
  milliseconds: number;
}

/** A pool of storage buffers, which are reused instead of destroyed. Buffers from the pool are not cleared. */
export class Memory {
  readonly #device: Device;
  readonly #free = new Map<number, GPUBuffer[]>();
  readonly #uploads: Staging[] = [];
  readonly #downloads: Staging[] = [];
  /** Copies since the device was opened. */
  readonly meter: { readonly upload: Meter; readonly download: Meter } = {
    upload: { bytes: 0, milliseconds: 0 },
    download: { bytes: 0, milliseconds: 0 },
  };
  #used = 0;
  #reserved = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #busy = false;

  constructor(device: Device) {
    this.#device = device;
  }

  /** Whether a call runs. Commands that are not submitted yet may still bind buffers that the call freed. */
  set busy(busy: boolean) {
    this.#busy = busy;
    clearTimeout(this.#timer);
    if (busy) return;
    this.#timer = setTimeout(() => this.trim(), IDLE_MILLISECONDS);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** Bytes in use by handles and calls, and bytes held in all. */
  get usage(): { used: number; reserved: number } {
    return { used: this.#used, reserved: this.#reserved };
  }

  /** A storage buffer of at least `bytes`; rejects with OutOfMemory. */
  async allocate(bytes: number, label: string): Promise<GPUBuffer> {
    checkBytes(bytes);
    const size = this.#sized(bytes);
    const buffer = this.#free.get(size)?.pop() ?? (await this.#create(size, STORAGE, label));
    this.#used += size;
    return buffer;
  }

  free(buffer: GPUBuffer): void {
    this.#used -= buffer.size;
    const list = this.#free.get(buffer.size) ?? [];
    list.push(buffer);
    this.#free.set(buffer.size, list);
    // Disposing of a handle between calls restarts the timer.
    if (!this.#busy) this.busy = false;
  }

  /** Destroys the unused buffers of the pool. */
  trim(): void {
    for (const list of this.#free.values()) {
      for (const buffer of list) {
        this.#reserved -= buffer.size;
        buffer.destroy();
      }
    }
    this.#free.clear();
  }

  /** A mapped buffer to write to. */
  async upload(): Promise<Staging> {
    return this.#staging(this.#uploads, BUFFER_USAGE.MAP_WRITE | BUFFER_USAGE.COPY_SRC, "upload");
  }

  /** A buffer to copy to and then map. */
  async download(): Promise<Staging> {
    return this.#staging(this.#downloads, BUFFER_USAGE.MAP_READ | BUFFER_USAGE.COPY_DST, "read back");
  }

  close(): void {
    clearTimeout(this.#timer);
    this.trim();
    for (const staging of [...this.#uploads, ...this.#downloads]) staging.buffer.destroy();
  }

  #sized(bytes: number): number {
    // A buffer is bound whole, so rounding must not exceed the largest binding.
    const { maxBufferSize, maxStorageBufferBindingSize } = this.#device.gpu.limits;
    const most = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    return Math.min(roundedSize(bytes), Math.max(most - (most % 256), bytes));
  }

  async #create(size: number, usage: number, label: string): Promise<GPUBuffer> {
    const { gpu } = this.#device;
    if (size > gpu.limits.maxBufferSize) throw this.#outOfMemory(size, label);
    for (const again of [false, true]) {
      gpu.pushErrorScope("out-of-memory");
      const buffer = allocate(gpu, label, size, usage);
      const error = await this.#device.orLost(gpu.popErrorScope());
      if (buffer && !error) {
        this.#reserved += size;
        return buffer;
      }
      // Destroying unused buffers may free enough memory.
      buffer?.destroy();
      if (!again) this.trim();
    }
    throw this.#outOfMemory(size, label);
  }

  #outOfMemory(size: number, label: string): OutOfMemory {
    return new OutOfMemory(
      `The GPU could not allocate ${size} bytes for ${label}, beside ${this.#used} bytes in use.`,
      { bytes: size },
    );
  }

  async #staging(ring: Staging[], usage: number, label: string): Promise<Staging> {
    const idle = ring.find((staging) => !staging.busy);
    if (idle) {
      idle.take();
      return idle;
    }
    if (ring.length < STAGING_BUFFERS) {
      const staging = new Staging(this.#device, await this.#create(STAGING_BYTES, usage, label), this.meter);
      ring.push(staging);
      return staging;
    }
    await Promise.race(ring.map((staging) => staging.whenFree));
    return this.#staging(ring, usage, label);
  }
}

/** Creates a buffer, mapped if it is for uploads. Returns undefined if the host has no memory for the mapping. */
function allocate(gpu: GPUDevice, label: string, size: number, usage: number): GPUBuffer | undefined {
  try {
    return gpu.createBuffer({ label, size, usage, mappedAtCreation: (usage & BUFFER_USAGE.MAP_WRITE) !== 0 });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A staging buffer with one user at a time. */
export class Staging {
  readonly buffer: GPUBuffer;
  busy = true;
  whenFree: Promise<void> = Promise.resolve();
  readonly #device: Device;
  readonly #meter: Memory["meter"];
  #freed: () => void = () => undefined;

  constructor(device: Device, buffer: GPUBuffer, meter: Memory["meter"]) {
    this.#device = device;
    this.#meter = meter;
    this.buffer = buffer;
    this.take();
  }

  /** Marks the buffer as busy; `whenFree` settles when it is released. */
  take(): void {
    this.busy = true;
    this.whenFree = new Promise((resolve) => {
      this.#freed = resolve;
    });
  }

  /** For uploads: copies bytes in, and unmaps the buffer so that commands can copy from it. */
  write(bytes: Uint8Array): void {
    const begin = performance.now();
    new Uint8Array(this.buffer.getMappedRange()).set(bytes);
    this.buffer.unmap();
    this.#meter.upload.milliseconds += performance.now() - begin;
    this.#meter.upload.bytes += bytes.length;
  }

  /** For uploads, after the submission that copies from the buffer: maps it again, and then frees it for the next user. */
  remap(): void {
    this.#device.orLost(this.buffer.mapAsync(MAP_MODE.WRITE)).then(
      () => this.free(),
      () => this.free(),
    );
  }

  /** For read-backs, after the submission that copies to the buffer: passes the bytes to `use`, and frees the buffer. */
  async read<T>(bytes: number, use: (bytes: ArrayBuffer) => T | Promise<T>): Promise<T> {
    try {
      await this.#device.orLost(this.buffer.mapAsync(MAP_MODE.READ, 0, Math.ceil(bytes / 8) * 8));
      try {
        const begin = performance.now();
        const result = use(this.buffer.getMappedRange(0, Math.ceil(bytes / 8) * 8));
        this.#meter.download.milliseconds += performance.now() - begin;
        this.#meter.download.bytes += bytes;
        return await result;
      } finally {
        this.buffer.unmap();
      }
    } finally {
      this.free();
    }
  }

  free(): void {
    this.busy = false;
    this.#freed();
  }
}

/** The part of a buffer that a result takes. */
export type Bound = Readonly<Required<GPUBufferBinding>>;

/** Bytes of the result, and the caller's buffer for it; without one a new buffer is made. */
interface ResultBuffer {
  readonly bytes: number;
  readonly into: GPUBuffer | undefined;
}

/**
 * Fills the caller's buffer, or a new one that the caller may bind and copy from, and must destroy. If filling fails, a new buffer is
 * destroyed, since nobody else has it yet.
 */
export async function fillBuffer(
  context: { readonly device: Device },
  { bytes, into }: ResultBuffer,
  label: string,
  fill: (target: Bound) => Promise<void>,
): Promise<GPUBuffer> {
  const buffer = into ?? ownedBuffer(context, bytes, label);
  try {
    await fill({ buffer, offset: 0, size: bytesOfBuffer(bytes) });
  } catch (error) {
    if (!into) buffer.destroy();
    throw error;
  }
  return buffer;
}

function ownedBuffer({ device }: { readonly device: Device }, bytes: number, label: string): GPUBuffer {
  const { gpu } = device;
  checkBytes(bytes);
  const size = bytesOfBuffer(bytes);
  if (size > gpu.limits.maxBufferSize) {
    throw new Unsupported(
      `Expected ${label} to fit one GPU buffer of at most ${gpu.limits.maxBufferSize} bytes, but they take ${size}; read them in bands.`,
    );
  }
  return gpu.createBuffer({ label: `skerry ${label}`, size, usage: STORAGE });
}
