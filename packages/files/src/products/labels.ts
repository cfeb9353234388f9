// Labels as files store them: 32 bits per pixel, or 16 if the format has no 32 and 16 suffice.

import type { CallOptions, Components, PixelArray, Sink } from "skerry";
import { FileError } from "../errors.js";

import type { Fill, Layout, ValueType } from "../layout.js";
import { type Space, spaceOf } from "../space.js";

/** Types that labels are written as, the first choice first. */
export const LABEL_TYPES: readonly ValueType[] = ["u32", "u16"];

const MOST_SHORT = 65535;

/** The value that each object has in a file of labels: its id in the label image that it came from, else its label. */
interface Ids {
  /** The greatest value; 0 without objects. */
  readonly most: number;
  /** By label, from 0 for the background; undefined where each is the label itself. */
  readonly values: Uint32Array | undefined;
}

/** How pixels of a file of labels are numbered. */
export interface Numbering {
  /** Whether objects are numbered from 1, although they have ids: those of 64 bits are told by numbers, which have no meaning in a file. */
  readonly numbered?: boolean | undefined;
}

/** The ids of objects, if a file of labels has room for them: whole numbers from 1 to 2^32 - 1. */
export function writtenIds({ ids }: Pick<Components, "ids">, { numbered = false }: Numbering): PixelArray | undefined {
  const fits = (id: number): boolean => Number.isInteger(id) && id > 0 && id < 2 ** 32;
  return !numbered && ids?.every(fits) ? ids : undefined;
}

function idsIn(components: Components, numbering: Numbering): Ids {
  const { count } = components;
  const ids = writtenIds(components, numbering);
  if (!ids) return { most: count, values: undefined };
  const values = new Uint32Array(count + 1);
  values.set(ids, 1);
  const isDense = values.every((id, label) => id === label);
  return { most: values.reduce((most, id) => Math.max(most, id), 0), values: isDense ? undefined : values };
}

/**
 * Writes the labels of components, or the ids of a label image, row by row.
 * @returns the greatest value
 */
export async function labelsInto(
  components: Components,
  sink: Sink,
  { numbered, ...options }: CallOptions & Numbering = {},
): Promise<number> {
  const { most, values } = idsIn(components, { numbered });
  const idOf = (label: number): number => values?.[label] as number;
  const ofIds: Sink = { write: (z0, z1, y0, y1, data) => sink.write(z0, z1, y0, y1, data.map(idOf)) };
  const into = values ? ofIds : sink;
  await components.labels({ ...options, into });
  return most;
}

/**
 * The layout of a label image's file, and its values.
 * @throws FileError for u16 and labels above 65535
 */
export function labelValues(
  components: Components,
  type: ValueType,
  space?: Space,
  numbering: Numbering = {},
): { readonly layout: Layout; readonly fill: Fill } {
  const { width, height, depth, spacing } = components;
  const { most, values } = idsIn(components, numbering);
  if (type === "u16" && most > MOST_SHORT) {
    const wanted = values ? `ids up to ${MOST_SHORT}` : `at most ${MOST_SHORT} objects`;
    throw new FileError(`Expected ${wanted} for 16-bit labels, got ${most}; write .npy or .tif instead.`);
  }
  const size = { width, height, depth };
  // Without a range, ImageJ shows 32-bit labels from 0 to the most that they can be: all black.
  const range = most > 0 ? ([0, most] as const) : undefined;
  const header = { ...size, type, labels: true, range, description: "labels by skerry" };
  const layout = { ...header, space: space ?? spaceOf({ size, spacing }) };
  return { layout, fill: async (sink) => void (await labelsInto(components, sink as Sink, numbering)) };
}
