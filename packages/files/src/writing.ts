// The first and the second argument of writers, checked before a byte is written.

import { UsageError } from "./errors.js";
import type { Output } from "./output.js";

/**
 * Refuses what is no target of a writer, such as the name of a file, and products that lack what the writer reads.
 * @param product fields that the product of this writer has, e.g. the points of outlines, with the call that makes it
 */
export function checkWriting(
  writer: string,
  file: Output,
  product?: { readonly of: unknown; readonly field: string; readonly call: string },
): void {
  if (typeof (Object(file) as Partial<Output>).write !== "function") {
    const got = typeof file === "string" ? JSON.stringify(file) : file === undefined ? "nothing" : typeof file;
    throw new UsageError(
      `Expected ${writer}() to write to a MemoryOutput or an object with write(chunk), got ${got}; writers of paths are in @skerry/files/node.`,
    );
  }
  if (product !== undefined) checkProduct(writer, product.of, product.field, product.call);
}

/** Refuses another result than that of the call that a writer is for, and promises of it. */
export function checkProduct(writer: string, product: unknown, field: string, call: string): void {
  const fields = Object(product) as Readonly<Record<string, unknown>>;
  const isObjects = typeof fields.outlines === "function";
  if (field in fields && (call === "components()" || !isObjects)) return;
  const got =
    "then" in fields
      ? "a Promise, of which await gives the value"
      : isObjects
        ? `the objects; pass await objects.${call}`
        : product === undefined
          ? "nothing"
          : "something else";
  throw new UsageError(`Expected ${writer}() to get what ${call} returns, got ${got}.`);
}
