// The store for a path or a URL.

import { UsageError } from "@skerry/files";
import { isRemote } from "../names.js";
import { FileStore } from "./file.js";
import { HttpStore } from "./http.js";
import type { HttpOptions } from "./http-client.js";
import { S3Store } from "./s3.js";
import type { Store } from "./store.js";

/**
 * The store for a folder, for an http or https URL, or for s3://BUCKET/PATH.
 * @throws UsageError for another scheme
 * @example
 * import { openStore } from "@skerry/zarr";
 * const attributes = await openStore("cells.zarr").get(".zattrs");
 * console.log(JSON.parse(new TextDecoder().decode(attributes)).multiscales[0].name); // cells
 */
export function openStore(url: string, options: HttpOptions = {}): Store {
  if (/^s3:\/\//i.test(url)) return new S3Store(url, options);
  if (isRemote(url)) return new HttpStore(url, options);
  const [, scheme] = /^([a-z][a-z0-9+]+):\/\//i.exec(url) ?? [];
  if (scheme !== undefined && scheme !== "file") {
    throw new UsageError(`Expected a folder or a URL of http, https or s3, got ${url}: ${scheme} is not read.`);
  }
  const folder = scheme === "file" ? decodeURIComponent(new URL(url).pathname) : url.replace(/(?<=.)\/+$/, "");
  return new FileStore(folder, undefined, options);
}
