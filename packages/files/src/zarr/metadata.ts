// Metadata of arrays: the layout of their chunks, and refusals of everything that would change the pixels and is not known here, such as
// a storage transformer. The same is refused as by zarr-python.

import { hasCodec } from "./codecs.js";
import { ZarrError } from "./errors.js";

/** Layout of the chunks of an array. */
interface ArrayLayout {
  readonly shape: number[];
  readonly chunks: number[];
  readonly shards: number[] | undefined;
  readonly codecs: string[];
  readonly indexFirst: boolean;
}

type Json = Record<string, unknown>;

/** Shape, chunks and codecs of an array's metadata. */
export function layoutOf(json: Json, version: 2 | 3, shown: string): ArrayLayout {
  const damaged = (what: string): ZarrError => new ZarrError("damaged", `Expected ${shown} to have ${what}.`);
  const sides = (value: unknown, what: string): number[] => {
    if (Array.isArray(value) && value.every((side) => Number.isSafeInteger(side) && side > 0)) return value;
    throw damaged(`${what} of whole numbers above 0`);
  };
  if (json.zarr_format !== version) throw damaged(`zarr_format ${version}, got ${briefly(json.zarr_format)}`);
  const type = version === 2 ? json.dtype : json.data_type;
  // Types of fields and of strings are refused by their name later.
  if (type === undefined || type === null) throw damaged(`a ${version === 2 ? "dtype" : "data_type"}, got none`);
  const shape = sides(json.shape, "a shape");
  const same = (fitted: number[]): number[] => {
    if (fitted.length === shape.length) return fitted;
    throw damaged(`chunks of ${shape.length} dimensions, as its shape has, got ${fitted.length}`);
  };
  const oneOf = (value: unknown, known: readonly unknown[], what: string): void => {
    if (known.includes(value)) return;
    const words = known.filter((each) => each !== undefined).map((each) => JSON.stringify(each));
    throw new ZarrError(
      "unsupported",
      `Expected ${what} of ${shown} to be ${words.join(" or ")}, got ${briefly(value)}.`,
    );
  };
  /** Codecs, each with its name. */
  const named = (value: unknown, field: "name" | "id"): Json[] => {
    if (Array.isArray(value) && value.every((each) => typeof (Object(each) as Json)[field] === "string")) return value;
    throw damaged(`a list of codecs, each with its ${field}, got ${briefly(value)}`);
  };
  if (version === 2) {
    oneOf(json.order, ["C", "F", undefined], "the order");
    oneOf(json.dimension_separator, [".", "/", undefined], "the dimension_separator");
    const packed = named([...named(json.filters ?? [], "id"), ...(json.compressor ? [json.compressor] : [])], "id");
    const codecs = packed.map(({ id }) => {
      const name = `${id}`;
      return hasCodec(`numcodecs.${name}`) ? `numcodecs.${name}` : name;
    });
    const known = codecs.map((name) => (name === "fixedscaleoffset" ? "scale_offset" : name));
    return { shape, chunks: same(sides(json.chunks, "chunks")), shards: undefined, codecs: known, indexFirst: false };
  }
  checkKnown(json, shown);
  const keys = json.chunk_key_encoding as Json | undefined;
  oneOf((json.chunk_grid as Json | undefined)?.name, ["regular"], "the chunk_grid");
  oneOf(keys?.name, ["default", "v2"], "the chunk_key_encoding");
  oneOf((keys?.configuration as Json | undefined)?.separator, [".", "/", undefined], "the separator of chunk keys");
  const grid = (json.chunk_grid as Json | undefined)?.configuration as Json | undefined;
  const chunks = same(sides(grid?.chunk_shape, "chunks"));
  const list = named(json.codecs, "name");
  const sharding = list.find(({ name }) => name === "sharding_indexed")?.configuration as Json | undefined;
  if (!sharding) {
    return { shape, chunks, shards: undefined, codecs: list.map(({ name }) => `${name}`), indexFirst: false };
  }
  const inner = same(sides(sharding.chunk_shape, "shards with chunks"));
  if (chunks.some((side, i) => side % inner[i] !== 0)) throw damaged("shards that its chunks divide");
  const codecs = named(sharding.codecs, "name").map(({ name }) => `${name}`);
  named(sharding.index_codecs, "name");
  return { shape, chunks: inner, shards: chunks, codecs, indexFirst: sharding.index_location === "start" };
}

/** Fields of an array's metadata in Zarr 3. */
const FIELDS = [
  "zarr_format",
  "node_type",
  "shape",
  "data_type",
  "chunk_grid",
  "chunk_key_encoding",
  "fill_value",
  "codecs",
  "attributes",
  "dimension_names",
  "storage_transformers",
];

/** Refuses extensions that a reader must understand: all but those that say otherwise. */
function checkKnown(json: Json, shown: string): void {
  const transformers = json.storage_transformers;
  if (transformers !== undefined && !(Array.isArray(transformers) && transformers.length === 0)) {
    throw new ZarrError("unsupported", `Expected no storage_transformers in ${shown}, got ${briefly(transformers)}.`);
  }
  for (const [field, value] of Object.entries(json)) {
    if (FIELDS.includes(field) || (Object(value) as Json).must_understand === false) continue;
    throw new ZarrError("unsupported", `Expected known fields in the metadata of ${shown}, got ${field}.`);
  }
}

/** JSON of at most some letters, for messages. */
function briefly(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

/** The least and the largest value of integers, by the bits of their type. */
const rangeOf = (signed: boolean, bits: number): readonly [number, number] =>
  signed ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];

/** Names of integers and floats in Zarr 2, by their letters, such as "<u2". */
const KINDS: Readonly<Record<string, string>> = { b: "bool", u: "uint", i: "int", f: "float" };

/**
 * The fill value of an array, of which bits of a float in hexadecimal digits become a number.
 * @throws ZarrError for one that the type of the values does not hold
 */
export function fillOf(json: Json, version: 2 | 3, shown: string): unknown {
  const { fill_value: value } = json;
  const [, letter, bytes] = /^[<>|=]?([a-z])(\d+)/.exec(`${json.dtype}`) ?? [];
  const type = version === 3 ? `${json.data_type}` : letter === "b" ? "bool" : `${KINDS[letter]}${8 * Number(bytes)}`;
  const [, kind, digits] = /^(bool|uint|int|float)(\d*)$/.exec(type) ?? [];
  // Other types are refused by their name.
  if (kind === undefined || (version === 2 && (value === null || value === undefined))) return value;
  const bits = Number(digits);
  const wrong = new ZarrError("damaged", `Expected a fill_value of ${type} in ${shown}, got ${briefly(value)}.`);
  if (kind === "bool") {
    if (typeof value === "boolean" || (version === 2 && (value === 0 || value === 1))) return value;
    throw wrong;
  }
  if (kind === "float") {
    if (typeof value === "number" || ["NaN", "Infinity", "-Infinity"].includes(`${value}`)) return value;
    const [, hex] = /^0x([0-9a-f]+)$/i.exec(typeof value === "string" ? value : "") ?? [];
    if (hex === undefined || hex.length !== bits / 4) throw wrong;
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(`0x${hex}`) << BigInt(64 - bits));
    const number = bits === 64 ? view.getFloat64(0) : bits === 32 ? view.getFloat32(0) : Number.NaN;
    return Number.isFinite(number) ? number : `${number}`;
  }
  const [least, most] = rangeOf(kind === "int", bits);
  // 64-bit integers come rounded out of JSON.
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw wrong;
}
