// Interface of a format's reader: a row of READERS.

import type { Bytes } from "../bytes.js";
import type { ImageAxis, Space } from "../space.js";
import type { About, Picture, PictureOptions } from "./picture.js";

/** The beginning of an input: the first bytes of a file or of stdin, or the names in a folder. */
export type Start =
  | { readonly kind: "file"; readonly bytes: Uint8Array }
  | { readonly kind: "folder"; readonly names: readonly string[] };

/** An input that is to be opened. */
export interface Input {
  /** The path; "-" is stdin. */
  readonly path: string;
  /** Name in messages. */
  readonly shown: string;
  /** Names of the files in a folder, numbers counting as numbers; empty for a file. */
  readonly names: readonly string[];
  /** Its bytes, read on demand. */
  bytes(): Promise<Bytes>;
  /** All of its bytes. */
  contents(): Promise<Buffer>;
  /** Opens another file, such as one of a folder. */
  open(path: string): Promise<Picture>;
}

/** Result of a reader. */
export type Opened = Pick<Picture, "pixels"> &
  Partial<Pick<Picture, "notes" | "close" | "space" | "ids" | "annotations" | "image">> & {
    readonly about?: Partial<About>;
  };

/** A reader of a format, which detects its files by their first bytes. */
export interface Reader {
  /** The formats, as messages list them. */
  readonly name: string;
  /** Endings of names, in lower case. They decide if no reader detects the first bytes. */
  readonly endings: readonly string[];
  /** Axes along which its files hold several images, from which options select one. */
  readonly axes?: readonly ImageAxis[];
  /** Whether its files may be the slices of a folder. */
  readonly slices?: boolean;
  /** Whether an input begins like the format. */
  sniff(start: Start, input: Input): boolean | Promise<boolean>;
  /** Opens the picture. */
  open(input: Input, options: PictureOptions): Promise<Opened>;
  /** Size and place from the header, without a pixel; undefined where pixels or options have a part in them. `start`: the first bytes. */
  header?(input: Input, options: PictureOptions, start: Buffer): Promise<Space | undefined>;
}
