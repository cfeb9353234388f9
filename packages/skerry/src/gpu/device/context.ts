// Context of every operation on the GPU, and the small read-backs that several of them need.

import type { Call } from "../../core/call.js";
import { OutOfMemory } from "../../types/errors.js";
import { Commands, Kernels } from "./commands.js";
import type { Device } from "./device.js";
import { BUFFER_USAGE } from "./flags.js";
import { fillBuffer, Memory, STAGING_BYTES } from "./memory.js";
import { Profile } from "./profile.js";

/**
 * Threads pack pixels of the host to bits at 4 to 6 GB/s, the copy of the bits included (2 cores of a desktop as
 * well as 8 of a server; see bench/NOTES.md). A device that takes pixels more slowly gets bits.
 */
const PACK_BYTES_PER_MILLISECOND = 4e6;

/** Shorter transfers, in bytes, are not measured. They mostly fit the staging buffers, which fill at the speed of a copy. */
const TELLING_BYTES = 64 << 20;

/** An open device with its kernels and memory. */
export class Context {
  readonly device: Device;
  readonly kernels: Kernels;
  readonly memory: Memory;
  readonly profile: Profile | undefined;
  /** Bound if a kernel declares a buffer that it does not use. */
  readonly nothing: GPUBuffer;
  readonly #arena: GPUBuffer;
  #sentSlowly = false;
  #sendsSlowly = false;

  /** `profile` times stages on the device, at the price of one more read-back per call. */
  constructor(device: Device, profile = false) {
    this.device = device;
    this.kernels = Kernels.of(device.gpu);
    this.memory = new Memory(device);
    this.profile = profile ? Profile.of(device) : undefined;
    this.#arena = Commands.arena(device.gpu);
    this.nothing = device.gpu.createBuffer({ label: "nothing", size: 256, usage: BUFFER_USAGE.STORAGE });
  }

  /**
   * Runs a call. Unused buffers are kept while the call runs. It rejects with DeviceLost once the device is lost. If
   * memory runs out, the call runs again with smaller bindings, i.e. in more strips and smaller bands. `twice` is false
   * for a call that cannot be repeated.
   */
  async guard<T>(work: () => Promise<T>, twice = true): Promise<T> {
    if (this.device.lost) throw this.device.lost;
    this.memory.busy = true;
    try {
      const result = await this.device.orLost(work()).catch(async (error) => {
        // After a refused command, others may fail as well: the first one tells why.
        await this.device.checked();
        if (!twice || !(error instanceof OutOfMemory)) throw error;
        this.memory.trim();
        return this.device.orLost(this.device.withSmallerBindings(work));
      });
      await this.device.checked();
      return result;
    } finally {
      this.memory.busy = false;
    }
  }

  /** Whether packing host pixels to bits is faster than sending them. False until transfers were measured. */
  get sendsSlowly(): boolean {
    return this.#sendsSlowly;
  }

  /** Records the time of a transfer of pixels. Two slow transfers in a row make `sendsSlowly` true. */
  sent(bytes: number, milliseconds: number): void {
    if (bytes < TELLING_BYTES) return;
    const slow = bytes / milliseconds < PACK_BYTES_PER_MILLISECOND;
    this.#sendsSlowly = slow && this.#sentSlowly;
    this.#sentSlowly = slow;
  }

  commands(): Commands {
    return new Commands(this.device, this.kernels, this.#arena, this.profile);
  }

  /** Runs `work` and adds times to the call: of its `stage` by the wall clock, of copies, and of stages on the device. */
  async timed<T>(call: Call, stage: string, bytes: number, work: () => Promise<T>): Promise<T> {
    this.profile?.reset();
    const before = structuredClone(this.memory.meter);
    const begin = performance.now();
    const result = await work();
    call.timings.push({ stage, milliseconds: performance.now() - begin, bytes });
    for (const [kind, name] of [
      ["upload", "copy to the GPU"],
      ["download", "copy from the GPU"],
    ] as const) {
      const { bytes, milliseconds } = this.memory.meter[kind];
      const [copied, spent] = [bytes - before[kind].bytes, milliseconds - before[kind].milliseconds];
      if (copied > 0) call.timings.push({ stage: name, milliseconds: spent, bytes: copied, part: true });
    }
    if (this.profile) call.timings.push(...(await this.profile.collect()));
    return result;
  }

  /**
   * Submits the recorded commands and the copy of a piece. The piece is mapped while `use` runs; `done` settles
   * afterwards.
   */
  async fetch(
    commands: Commands,
    buffer: GPUBuffer,
    offset: number,
    bytes: number,
    use: (piece: ArrayBuffer) => void | Promise<void>,
  ): Promise<{ readonly done: Promise<void> }> {
    const staging = await this.memory.download();
    try {
      commands.copy(buffer, offset, staging.buffer, 0, Math.ceil(bytes / 4) * 4);
      await commands.submit();
    } catch (error) {
      staging.free();
      throw error;
    }
    const done = staging.read(bytes, use);
    // Callers that await `done` get the error. This handler only prevents an unhandled rejection.
    done.catch(() => undefined);
    return { done };
  }

  /** Submits the recorded commands, and reads bytes back in pieces of whole units. `use` receives each piece as it arrives. */
  async read(
    commands: Commands,
    buffer: GPUBuffer,
    offset: number,
    bytes: number,
    use: (piece: ArrayBuffer, at: number) => void,
    unit = 4,
  ): Promise<void> {
    const pending: Promise<void>[] = [];
    const most = STAGING_BYTES - (STAGING_BYTES % unit);
    try {
      for (let at = 0; at < bytes; at += most) {
        const length = Math.min(most, bytes - at);
        const { done } = await this.fetch(commands, buffer, offset + at, length, (piece) => use(piece, at));
        pending.push(done);
      }
      if (bytes === 0) await commands.submit();
    } finally {
      await Promise.allSettled(pending);
    }
    await Promise.all(pending);
  }

  /** Reads back u32 from the beginning of a buffer. */
  async numbers(commands: Commands, buffer: GPUBuffer, count: number): Promise<Uint32Array> {
    const numbers = new Uint32Array(count);
    await this.read(commands, buffer, 0, count * 4, (piece, at) =>
      numbers.set(new Uint32Array(piece, 0, Math.min(piece.byteLength / 4, count - at / 4)), at / 4),
    );
    return numbers;
  }

  /** Writes to a buffer, in order with submissions. */
  write(buffer: GPUBuffer, data: Uint32Array): void {
    this.device.watch(() => this.device.gpu.queue.writeBuffer(buffer, 0, data as Uint32Array<ArrayBuffer>));
  }

  /** Returns the caller's buffer, or a new one that the caller owns, with a copy of numbers. */
  bufferOf(data: Uint32Array, label: string, into: GPUBuffer | undefined): Promise<GPUBuffer> {
    return fillBuffer(this, { bytes: data.byteLength, into }, label, async ({ buffer }) => this.write(buffer, data));
  }

  close(): void {
    this.memory.close();
    this.profile?.close();
    this.#arena.destroy();
    this.nothing.destroy();
    this.device.close();
  }
}

/** Buffers borrowed for a piece of work, which are freed together. */
export class ScratchScope {
  readonly #context: Context;
  #buffers: GPUBuffer[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  async allocate(bytes: number, label: string): Promise<GPUBuffer> {
    const buffer = await this.#context.memory.allocate(bytes, label);
    this.#buffers.push(buffer);
    return buffer;
  }

  /** Frees one buffer before the others. */
  free(buffer: GPUBuffer): void {
    this.#buffers = this.#buffers.filter((held) => held !== buffer);
    this.#context.memory.free(buffer);
  }

  freeAll(): void {
    for (const buffer of this.#buffers) this.#context.memory.free(buffer);
    this.#buffers = [];
  }
}

/** Borrows buffers while `work` runs. Commands run in order, so freed buffers can be reused at once. */
export async function withScratch<T>(context: Context, work: (scope: ScratchScope) => Promise<T>): Promise<T> {
  const scope = new ScratchScope(context);
  try {
    return await work(scope);
  } finally {
    scope.freeAll();
  }
}
