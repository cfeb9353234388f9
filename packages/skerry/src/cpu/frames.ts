// Frames on the calling thread: all memory is taken and all calls of kernels are prepared before the first frame, so that a frame
// of 512 x 512 takes as long as its kernels. A frame is one strip. Nothing is allocated for a frame but its results.

import type { BackendFrames, FrameSums, FramesPlan } from "../core/frames-plan.js";
import { PIXEL_BYTES, TYPE_CODE } from "../core/pixels.js";
import { REGION_LEVELS } from "../core/plans.js";
import { LAYOUT } from "../generated/kernels.js";
import { changedError } from "../types/errors.js";
import type { PixelArray } from "../types/raster.js";
import { listBytes } from "./bands.js";
import { joinsPairs, pairsBytes } from "./components.js";
import type { Arguments, KernelName } from "./kernels.js";
import { preparedCall } from "./kernels-near.js";
import type { Pool } from "./memory/pool.js";
import { ScratchScope } from "./memory/scratch.js";
import { LEAD_BYTES, SLACK_BYTES } from "./pixel-feed.js";
import { planeBytes } from "./planes.js";
import { BOUNDS_AT, MOMENTS_AT, RECORD_BYTES } from "./regions.js";

/** Frames of more pixels go to the workers. */
const MOST_PIXELS = 1 << 20;
/** Objects for which there is room at first. */
const OBJECTS = 1 << 12;

const { AREA, BOUNDS, CENTROID, CHUNK } = LAYOUT.regions;
/** Bytes of the longest gathered field: four u32, or two f64. */
const FIELD_BYTES = 16; // host: of a slot that is read field by field

/** Takes the memory of a plan; undefined if this thread calls no kernels, or the frames are large. */
export async function openFrames(pool: Pool, plan: FramesPlan): Promise<BackendFrames | undefined> {
  const { width, height } = plan.shape;
  if (!pool.callsNear || width * height > MOST_PIXELS) return undefined;
  const frames = new CpuFrames(pool, plan);
  try {
    await frames.begin();
    return frames;
  } catch (error) {
    frames.dispose();
    throw error;
  }
}

class CpuFrames implements BackendFrames {
  readonly #pool: Pool;
  readonly #plan: FramesPlan;
  readonly #scope: ScratchScope;
  /** The memory of objects, which grows. */
  readonly #objects: ScratchScope;
  #slot = 0;
  #room = 0;
  #calls: ReturnType<CpuFrames["prepare"]> | undefined;
  #fixed: Awaited<ReturnType<CpuFrames["place"]>> | undefined;
  #out = 0;
  #polaritiesAt = 0;

  constructor(pool: Pool, plan: FramesPlan) {
    this.#pool = pool;
    this.#plan = plan;
    this.#scope = new ScratchScope(pool);
    this.#objects = new ScratchScope(pool);
  }

  async begin(): Promise<void> {
    const { width, height, type } = this.#plan.shape;
    const bytes = width * height * PIXEL_BYTES[type];
    this.#slot = await this.#scope.allocate(bytes + SLACK_BYTES, LEAD_BYTES);
    this.#fixed = await this.place();
    await this.#grow(OBJECTS);
  }

  /** Memory that does not depend on what a frame holds. */
  async place() {
    const { width, height } = this.#plan.shape;
    const words = Math.ceil(width / 64);
    const plane = planeBytes({ words, rows: height });
    const two = this.#plan.predicate.intervals.length > 1;
    const runs = height * Math.ceil(width / 2) * (two ? 2 : 1);
    const at = (bytes: number): Promise<number> => this.#scope.allocate(bytes);
    return {
      words,
      first: await at(plane),
      second: two ? await at(plane) : 0,
      offsets: await at((height + 1) * 4),
      labels: await at(runs * 4),
      list: await at(listBytes(width)),
      table: await at(8),
      parents: await at(this.#plan.connectivity === 8 && !two ? pairsBytes({ words }, [{ y0: 0, y1: height }]) : 0),
    };
  }

  async #grow(objects: number): Promise<void> {
    this.#objects.freeAll();
    this.#room = objects;
    const bytes = RECORD_BYTES[this.#level] as number;
    const chunks = Math.ceil(objects / CHUNK);
    const at = (size: number): Promise<number> => this.#objects.allocate(size);
    const [records, map, joins, firsts] = [
      await at(objects * bytes),
      await at(objects * 4),
      await at(8),
      await at(chunks * 4),
    ];
    this.#out = await at(Math.min(objects, CHUNK) * FIELD_BYTES);
    this.#polaritiesAt = await at(objects);
    this.#calls = this.prepare({ records, bytes, map, joins, firsts });
    await this.#pool.write(this.#fixed!.table, new Uint32Array(2));
  }

  get #level(): number {
    return REGION_LEVELS.indexOf(this.#plan.level);
  }

  /** The calls of kernels, with the addresses of this memory. */
  prepare({
    records,
    bytes,
    map,
    joins,
    firsts,
  }: Readonly<Record<"records" | "bytes" | "map" | "joins" | "firsts", number>>) {
    const pool = this.#pool;
    const { shape, predicate, connectivity } = this.#plan;
    const { width, height, type } = shape;
    const { words, first, second, offsets, labels, list, table, parents } = this.#fixed!;
    const [one, two] = predicate.intervals;
    const call = <N extends KernelName>(kernel: N, given: Arguments<N>) => preparedCall(pool, kernel, given);
    const rows = { bits: first, bits2: second, y0: 0, y1: height, offsets, labels };
    const how = { ...rows, words, height, connectivity, links: 0, plane: planeBytes({ words, rows: height }) };
    const { y0: _, y1: __, ...joined } = how;
    return {
      pack: call("packRows", {
        type: TYPE_CODE[type],
        channels: 1,
        src: this.#slot,
        rows: height,
        width,
        any: predicate.any,
        lo: one.lo,
        hi: one.hi,
        invert: one.invert,
        dst: first,
        lo2: two?.lo ?? 0,
        hi2: two?.hi ?? 0,
        invert2: two?.invert ?? false,
        dst2: second,
        counts: offsets,
        scratch: 0,
        except: 0,
        excepted: 0,
        fence: 0,
      }),
      prefix: call("prefixRows", { counts: offsets, height }),
      label: call("labelStrip", how),
      labelPairs: call("labelPairs", { bits: first, words, y0: 0, y1: height, offsets, labels, parents }),
      join: call("joinStrips", { ...joined, table, strips: 1, seamRows: 1, map, size: 0 }),
      number: call("numberComponents", { map, size: 0, joins, firsts }),
      sum: call("accumulateStrip", {
        ...rows,
        width,
        level: this.#level,
        eight: connectivity === 8,
        records,
        count: 0,
        list,
        outline: 0,
      }),
      gather: call("gatherRegions", {
        kind: 0,
        records,
        bytes,
        field: 0,
        length: 0,
        map,
        firsts,
        from: 0,
        to: 0,
        out: this.#out,
      }),
      polarities: call("polaritiesOf", { ...rows, width, polarities: this.#polaritiesAt, list }),
    };
  }

  async measure(data: PixelArray): Promise<FrameSums> {
    const pool = this.#pool;
    const { width, height } = this.#plan.shape;
    if (data.length < width * height) throw changedError();
    const { pack, prefix, label, labelPairs } = this.#calls!;
    const lent = pool.addressOf(data);
    if (lent === undefined) pool.copyNear(data, this.#slot);
    pack.set("src", lent ?? this.#slot);
    pack.run();
    const { words, second } = this.#fixed!;
    const planes = { words, rows: height, second, links: undefined };
    const count = joinsPairs(planes, this.#plan.connectivity, prefix.run()) ? labelPairs.run() : label.run();
    // A frame may have more objects than any before it.
    if (count > this.#room) await this.#grow(Math.max(count, 2 * this.#room));
    return this.#sums(count);
  }

  #sums(count: number): FrameSums {
    const { join, number, sum } = this.#calls!;
    // One strip: its components are the objects, in the same order.
    join.set("size", count);
    join.run();
    number.set("size", count);
    number.run();
    sum.set("count", count);
    sum.run();
    const level = this.#level;
    const area = new Uint32Array(count);
    this.#gather(AREA, 0, area, 1);
    const bounds = level >= 1 ? new Uint32Array(4 * count) : undefined;
    if (bounds) this.#gather(BOUNDS, BOUNDS_AT, bounds, 4);
    const centroid = level >= 2 ? new Float64Array(2 * count) : undefined;
    if (centroid) this.#gather(CENTROID, MOMENTS_AT, centroid, 2);
    return { count, sums: { area, bounds, centroid }, polarity: this.#polarities(count) };
  }

  /** Copies a field of all objects into an array. */
  #gather(kind: number, field: number, into: Uint32Array | Float64Array, perObject: number): void {
    const { gather } = this.#calls!;
    const objects = into.length / perObject;
    gather.set("kind", kind);
    gather.set("field", field);
    gather.set("length", perObject * into.BYTES_PER_ELEMENT);
    for (let from = 0; from < objects; from += CHUNK) {
      const to = Math.min(objects, from + CHUNK);
      gather.set("from", from);
      gather.set("to", to);
      gather.run();
      this.#pool.copyOut(this.#out, into.subarray(from * perObject, to * perObject));
    }
  }

  #polarities(count: number): Uint8Array | undefined {
    if (this.#fixed!.second === 0) return undefined;
    this.#calls!.polarities.run();
    const polarity = new Uint8Array(count);
    this.#pool.copyOut(this.#polaritiesAt, polarity);
    return polarity;
  }

  dispose(): void {
    this.#scope.freeAll();
    this.#objects.freeAll();
  }
}
