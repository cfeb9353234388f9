// The store for a path or a URL.

import { basename, dirname } from "node:path";
import { UsageError } from "../../errors.js";
import { isBucket, isRemote, isZippedZarr } from "../names.js";
import { FileStore } from "./file.js";
import { HttpStore } from "./http.js";
import type { HttpOptions } from "./http-client.js";
import { S3Store } from "./s3.js";
import type { Store, WritableStore } from "./store.js";
import { ZipFileStore } from "./zip-file.js";

/**
 * The store for a folder, for a ZIP (.ozx or .zarr.zip), for an http or https URL, or for s3://BUCKET/PATH.
 * @throws UsageError for another scheme
 */
export function openStore(url: string, options: HttpOptions = {}): Store {
  if (typeof url !== "string") throw new UsageError(`Expected a folder or a URL, got ${String(url)}.`);
  if (isBucket(url)) return new S3Store(url, options);
  if (isRemote(url)) return new HttpStore(url, options);
  const [, scheme] = /^([a-z][a-z0-9+]+):\/\//i.exec(url) ?? [];
  if (scheme !== undefined && scheme !== "file") {
    throw new UsageError(`Expected a folder or a URL of http, https or s3, got ${url}: ${scheme} is not read.`);
  }
  const folder = scheme === "file" ? decodeURIComponent(new URL(url).pathname) : url.replace(/(?<=.)\/+$/, "");
  return isZippedZarr(folder) ? new ZipFileStore(folder) : new FileStore(folder, undefined, options);
}

/**
 * The store for a folder, or for s3://BUCKET/PATH, to write to.
 * @throws UsageError for another URL
 */
export function writableStore(url: string, options: HttpOptions = {}): WritableStore {
  const store = openStore(url, options);
  if ("set" in store) return store as WritableStore;
  throw new UsageError(
    `Expected a folder or s3://BUCKET/PATH to write to, got ${url}: what is behind HTTP or in a ZIP is read alone.`,
  );
}

/**
 * The store that a file, a folder or an image lies in, and its name there.
 * @throws UsageError for a bucket itself, or for a URL that is not written to
 */
export function writablePlace(url: string): { readonly parent: WritableStore; readonly name: string } {
  if (!isRemote(url)) return { parent: writableStore(dirname(url)), name: basename(url) };
  const [, above, name] = /^(s3:\/\/.+)\/([^/]+)\/*$/i.exec(url) ?? [];
  if (above === undefined) {
    writableStore(url);
    throw new UsageError(`Expected s3://BUCKET/PATH to write to, got ${url}.`);
  }
  return { parent: writableStore(above), name };
}
