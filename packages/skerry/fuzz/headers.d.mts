/** A small picture: sizes along x, y and z, bytes, and the place of its pixels' centres in a unit. */
export interface HeaderPicture {
  readonly size: readonly number[];
  readonly data: Uint8Array;
  readonly toWorld: readonly (readonly number[])[];
  readonly unit: "m" | "mm" | "um";
}

type Told = "m" | "mm" | "um";

export function nifti(
  path: string,
  picture: HeaderPicture,
  options?: { two?: boolean; little?: boolean; form?: "s" | "q" | "both"; told?: Told; times?: readonly Uint8Array[] },
): void;
export function geotiff(path: string, picture: HeaderPicture, options?: { epsg?: number; point?: boolean }): void;
export function ometiff(
  path: string,
  picture: HeaderPicture,
  options?: { told?: Told; times?: readonly Uint8Array[] },
): void;
export function imagej(path: string, picture: HeaderPicture, options?: { told?: Told }): void;
export function omezarr(
  path: string,
  picture: HeaderPicture,
  options?: { told?: Told; times?: readonly Uint8Array[] },
): void;
export function dicom(path: string, picture: HeaderPicture, options?: { isOne?: boolean; series?: string }): void;
