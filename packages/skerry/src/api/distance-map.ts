// DistanceMap: the values of a distance map, with their size, spacing, unit and metric.

import { type Size, sizeText } from "../core/pixels.js";
import { show, unexpected } from "../options/arguments.js";
import { checkOptions } from "../options/names.js";
import { sameSize } from "../options/pixels.js";
import { checkWindow } from "../options/window.js";
import type { CallOptions } from "../types/calls.js";
import type { Closest, DistanceArray, DistanceMetric } from "../types/distance.js";
import { InvalidArgument } from "../types/errors.js";
import type { ResultWindow } from "../types/labels.js";
import type { Place } from "../types/raster.js";
import type { Components } from "./components.js";

interface Facts extends Size {
  readonly data: DistanceArray;
  readonly spacing: readonly [number, number, number];
  readonly unit: number;
  readonly squared: boolean;
  readonly metric: DistanceMetric;
  readonly nearest: Uint32Array | undefined;
}

/** The distance from every pixel to the nearest foreground pixel, from `engine.distance()`. */
export class DistanceMap {
  /** One value per pixel: distances in units of the spacing, or with `squared` whole numbers of `unit` squared. */
  readonly data: DistanceArray;
  /** Pixels per row. */
  readonly width: number;
  /** Rows per slice. */
  readonly height: number;
  /** Slices; 1 for an image. */
  readonly depth: number;
  /** The size of a pixel along x, y and z. */
  readonly spacing: readonly [number, number, number];
  /** The metric of the distances. */
  readonly metric: DistanceMetric;
  /** Whether values are squared and in squared units; then a distance is `Math.sqrt(value) * unit`. */
  readonly squared: boolean;
  /** The unit of squared distances, in units of the spacing: a value v is the distance `unit * Math.sqrt(v)`. */
  readonly unit: number;
  /**
   * The index of each pixel's nearest foreground pixel, if requested: `x + width * (y + height * z)`, or 0xffffffff for
   * none.
   */
  readonly nearest: Uint32Array | undefined;

  /** @internal */
  constructor(facts: Facts) {
    this.data = facts.data;
    this.width = facts.width;
    this.height = facts.height;
    this.depth = facts.depth;
    this.spacing = facts.spacing;
    this.metric = facts.metric;
    this.squared = facts.squared;
    this.unit = facts.unit;
    this.nearest = facts.nearest;
  }

  /**
   * Interpolates the distance at a place between pixels, given in pixel coordinates. The result is linear between the pixels
   * around the place, in units of the spacing, also for squared maps. If one of these pixels is Infinity, the result is Infinity.
   * Throws InvalidArgument outside the map.
   *
   * @example
   * const clearance = map.at([12.5, 30.25]);
   */
  at(place: Place): number {
    const ends = [this.width, this.height, this.depth];
    const given = Array.isArray(place) ? [...place, ...(place.length === 2 ? [0] : [])] : [];
    if (given.length !== 3 || !given.every((n, axis) => n >= 0 && n <= ends[axis] - 1)) {
      throw new InvalidArgument(`Expected a place inside ${sizeText(this)}, got ${show(place)}.`, {
        argument: "place",
      });
    }
    const low = given.map(Math.floor);
    let sum = 0;
    for (let corner = 0; corner < 8; corner++) {
      let weight = 1;
      let at = 0;
      for (const axis of [2, 1, 0]) {
        const part = (given[axis] as number) - low[axis];
        const high = (corner >> axis) & 1;
        weight *= high ? part : 1 - part;
        at = at * ends[axis] + low[axis] + (high && part > 0 ? 1 : 0);
      }
      if (weight > 0) sum += weight * this.#distance(at);
    }
    return sum;
  }

  /**
   * Reads the distances of a window, e.g. for display: row by row, `step` apart, in units of the spacing, also of squared
   * maps. Pixels outside the map are Infinity, as are pixels without foreground in reach. O(pixels of the window), on the host.
   * Throws InvalidArgument for a wrong window, or for `into` of another length.
   *
   * @example
   * const seen = map.window({ x: 0, y: 0, width: 320, height: 200, step: 4 });
   */
  window(window: ResultWindow, into?: Float32Array): Float32Array {
    const { x, y, z, width, height, step, axis } = checkWindow(window, this);
    if (into !== undefined && !(into instanceof Float32Array && into.length === width * height)) {
      throw new InvalidArgument(`Expected into to be a Float32Array of ${width * height} values, got ${show(into)}.`, {
        argument: "into",
      });
    }
    const values = into ?? new Float32Array(width * height);
    const ends = [this.width, this.height, this.depth];
    const strides = [1, this.width, this.width * this.height];
    const [across, down] = axis === "z" ? [0, 1] : axis === "y" ? [0, 2] : [1, 2];
    const begin = [x, y, z];
    const normal = 3 - across - down;
    const isInside = begin[normal] >= 0 && begin[normal] < ends[normal];
    const plane = begin[normal] * strides[normal];
    // Columns [from, to) of the window lie inside the map.
    const from = Math.min(width, Math.max(0, Math.ceil(-begin[across] / step)));
    const to = Math.max(from, Math.min(width, Math.ceil((ends[across] - begin[across]) / step)));
    const isPlain = this.data instanceof Float32Array && !this.squared;
    for (let row = 0, at = 0; row < height; row++, at += width) {
      const line = begin[down] + row * step;
      if (!isInside || line < 0 || line >= ends[down]) {
        values.fill(Number.POSITIVE_INFINITY, at, at + width);
        continue;
      }
      values.fill(Number.POSITIVE_INFINITY, at, at + from);
      values.fill(Number.POSITIVE_INFINITY, at + to, at + width);
      const stride = step * strides[across];
      let read = plane + line * strides[down] + (begin[across] + from * step) * strides[across];
      if (isPlain && stride === 1) values.set((this.data as Float32Array).subarray(read, read + to - from), at + from);
      else if (isPlain) {
        for (let column = from; column < to; column++, read += stride) values[at + column] = this.data[read];
      } else for (let column = from; column < to; column++, read += stride) values[at + column] = this.#distance(read);
    }
    return values;
  }

  /**
   * Finds the smallest value of the map on each object, and its place. This is the distance between the object and the
   * foreground of the map. In a signed map a negative value is minus the depth of the object inside the foreground. One pass
   * over the objects' pixels, on the host.
   *
   * Rejects with InvalidArgument for components of another size.
   *
   * @example
   * const { distance, where } = await map.over(tumours);
   * console.log(`${distance[0]} mm, at ${where[0]}, ${where[1]}, ${where[2]}`);
   */
  async over(components: Components, options: CallOptions = {}): Promise<Closest> {
    checkOptions("over", options);
    if (typeof Object(components).runs !== "function") throw unexpected("components", "Components", components);
    if (!sameSize(components, this)) {
      throw new InvalidArgument(`Expected components of ${sizeText(this)} like the map, got ${sizeText(components)}.`, {
        argument: "components",
      });
    }
    const { count, width, height, depth } = components;
    const { row, begin, end, label } = await components.runs(options);
    const best = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    const place = new Float64Array(count).fill(-1);
    for (let i = 0; i < row.length; i++) {
      const object = label[i] - 1;
      const from = row[i] * width;
      let least = best[object];
      let where = place[object];
      for (let at = from + begin[i]; at < from + end[i]; at++) {
        const value = this.#value(at);
        if (value < least || where < 0) {
          least = value;
          where = at;
        }
      }
      best[object] = least;
      place[object] = where;
    }
    const axes = depth > 1 ? 3 : 2;
    const where = new Uint32Array(count * axes);
    for (let object = 0; object < count; object++) {
      const at = place[object];
      where[object * axes] = at % width;
      where[object * axes + 1] = Math.floor(at / width) % height;
      if (axes === 3) where[object * axes + 2] = Math.floor(at / width / height);
    }
    return { count, distance: best.map((value) => this.#distanceOf(value)), where };
  }

  /** A value of the map; the largest integer of an integer map, which means no foreground in reach, becomes Infinity. */
  #value(at: number): number {
    const value = this.data[at];
    if (this.data instanceof Float32Array) return value;
    return value === (this.data instanceof Uint32Array ? 0xffffffff : 0xffff) ? Number.POSITIVE_INFINITY : value;
  }

  #distanceOf(value: number): number {
    return this.squared ? Math.sqrt(value) * this.unit : value;
  }

  #distance(at: number): number {
    return this.#distanceOf(this.#value(at));
  }
}
