/** Number of inputs. */
export const INPUTS: number;
/** Input i of 0..99: a raster of 0 and 1, and the connectivity that it is labelled with. */
export function inputOf(i: number): {
  raster: { data: Uint8Array; width: number; height: number; depth: number };
  connectivity: 4 | 8 | 6 | 18 | 26;
};
/** The first 16 digits of the SHA-256 of labels. */
export function hashOf(labels: Uint32Array): string;
/** Rows of the table of docs/numbering.md. */
export function rowsOfPage(): { number: number; size: string; connectivity: number; objects: number; hash: string }[];
