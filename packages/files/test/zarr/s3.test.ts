// Buckets: values, ranges, lists and uploads in parts, signed and not, with faults.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { zarrSink, zarrSource } from "../../src/zarr/index.js";
import { type FileStore, openImage, openStore, S3Store } from "../../src/zarr/internal.js";
import { folder } from "./support/folders.js";
import { pixelsOf } from "./support/pixels.js";
import { type S3Fault, type ServedS3, serveS3, variablesOf } from "./support/s3.js";

let served: ServedS3;
let fault: (index: number, method: string) => S3Fault = () => "none";
beforeEach(async () => {
  fault = () => "none";
  served = await serveS3((...given) => fault(...given));
  for (const [name, value] of Object.entries(variablesOf(served))) vi.stubEnv(name, value);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await served.close();
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("values, ranges and lists, with names that have to be encoded", async () => {
  const store = new S3Store("s3://bucket/some path/");
  const names = ["a", "b+c & d", "e/ü.bin", "e/f", "g/h/i", "z%20", "zz"];
  for (const name of names) await store.set(name, bytes(name));
  for (const name of names) expect(Buffer.from((await store.get(name)) ?? []).toString()).toBe(name);
  expect([...served.objects.keys()].sort()).toEqual(names.map((name) => `some path/${name}`).sort());
  expect(await store.get("nothing")).toBeUndefined();
  expect(Buffer.from((await store.getRange("b+c & d", { offset: 1, length: 2 })) ?? []).toString()).toBe("+c");
  expect(Buffer.from((await store.getRange("b+c & d", { suffix: 3 })) ?? []).toString()).toBe("& d");
  expect((await store.list("")).sort()).toEqual(["a", "b+c & d", "e", "g", "z%20", "zz"]);
  expect((await store.list("e")).sort()).toEqual(["f", "ü.bin"]);
  expect((await store.at("g").list("h")).sort()).toEqual(["i"]);
  expect(await store.list("none")).toEqual([]);
  await store.remove("e");
  expect((await store.list("")).sort()).toEqual(["a", "b+c & d", "g", "z%20", "zz"]);
  await store.rename("b+c & d", "new+name & more");
  expect((await store.list("")).sort()).toEqual(["a", "g", "new+name & more", "z%20", "zz"]);
  expect(await store.get("new+name & more")).toEqual(bytes("b+c & d"));
  expect([await store.has("a"), await store.has("g"), await store.has("h"), await store.has("g/h")]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

test("large values go in parts, grow at their end, and are given up", async () => {
  const store = new S3Store("s3://bucket");
  const large = new Uint8Array(40 * 2 ** 20).map((_, i) => i * 7);
  await store.set("large", large);
  expect(Buffer.compare(served.objects.get("large") ?? Buffer.alloc(0), large)).toBe(0);
  const growing = await store.grow("grown");
  for (let at = 0; at < large.length; at += 7_000_000) await growing.append(large.subarray(at, at + 7_000_000));
  expect(served.objects.has("grown")).toBe(false);
  await growing.finish();
  expect(Buffer.compare(served.objects.get("grown") ?? Buffer.alloc(0), large)).toBe(0);
  const small = await store.grow("small");
  await small.append(bytes("few"));
  await small.finish();
  expect(served.objects.get("small")?.toString()).toBe("few");
  fault = (_, method) => (method === "POST" ? "error in success" : "none");
  await expect(store.set("failed", large)).rejects.toThrow(/Could not write .*failed: try later\./);
  expect(served.objects.has("failed")).toBe(false);
});

test("values are written only if nobody wrote another one, also if the answer is lost", async () => {
  for (const kind of ["none", "lost"] as const) {
    let asked = 0;
    fault = (_, method) => (method === "PUT" && asked++ % 2 === 0 ? kind : "none");
    const stores = [new S3Store(`s3://bucket/${kind}`), openStore(folder()) as FileStore];
    for (const store of stores) {
      expect(await store.replace("a", bytes("one"), undefined)).toBe(true);
      expect(await store.replace("a", bytes("one"), undefined)).toBe(true);
      expect(await store.replace("a", bytes("two"), undefined)).toBe(false);
      expect(await store.replace("a", bytes("two"), bytes("other"))).toBe(false);
      expect(await store.replace("a", bytes("two"), bytes("one"))).toBe(true);
      expect(await store.get("a")).toEqual(bytes("two"));
      for (const size of [3, 20 * 2 ** 20]) {
        const large = await store.grow(`large ${size}`);
        await large.append(new Uint8Array(size));
        expect(await large.finishOnce()).toBe(true);
        const again = await store.grow(`large ${size}`);
        await again.append(new Uint8Array(size).fill(1));
        expect(await again.finishOnce()).toBe(false);
        expect((await store.getRange(`large ${size}`, { offset: 0, length: 1 }))?.[0]).toBe(0);
      }
      expect((await store.list("")).sort()).toEqual(["a", `large ${20 * 2 ** 20}`, "large 3"]);
    }
  }
});

test("of writers at once that add to one value, each one's addition is there", async () => {
  const store = new S3Store("s3://bucket");
  await Promise.all(
    Array.from({ length: 6 }, async (_, i) => {
      for (;;) {
        const before = await store.get("names");
        const after = bytes(`${Buffer.from(before ?? [])}${i}`);
        if (await store.replace("names", after, before)) return;
      }
    }),
  );
  expect([...Buffer.from((await store.get("names")) ?? []).toString()].sort().join("")).toBe("012345");
});

test("an inventory tells what was written, and a version each value", async () => {
  const seen = new Map<string, string>();
  const store = openStore("s3://bucket/x", { onVersion: (address, version) => seen.set(address, version) }) as S3Store;
  for (let i = 0; i < 8; i++) await store.set(`0/c/${i}`, bytes(`chunk ${i}`));
  await store.set("1/c/0", bytes("other"));
  const first = await store.inventory("0");
  expect(first).toMatchObject({ files: 8, bytes: 56 });
  await store.set("1/c/0", bytes("others"));
  expect(await store.inventory("0")).toEqual(first);
  await store.get("0/c/3");
  const [version] = seen.values();
  await store.set("0/c/3", bytes("CHUNK 3"));
  const second = await store.inventory("0");
  expect([second.names, second.times === first.times]).toEqual([first.names, false]);
  await store.get("0/c/3");
  expect([...seen.values()][0]).not.toBe(version);
});

test("busy servers, broken connections and lost answers are tried again; a wrong key and a missing bucket are told", async () => {
  fault = (index) => (["busy", "none", "reset", "none", "lost", "none"] as const)[index % 6];
  const store = new S3Store("s3://bucket");
  for (let i = 0; i < 4; i++) await store.set(`k${i}`, bytes(`${i}`));
  for (let i = 0; i < 4; i++) expect(Buffer.from((await store.get(`k${i}`)) ?? []).toString()).toBe(`${i}`);
  expect((await store.list("")).length).toBe(4);
  fault = () => "none";
  await expect(new S3Store("s3://other").list("")).rejects.toThrow(
    /Could not reach .*other\/: there is no such bucket/,
  );
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "wrong");
  await expect(new S3Store("s3://bucket").get("k1")).rejects.toThrow(
    /the server refuses it \(403 SignatureDoesNotMatch\)\.$/,
  );
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "");
  expect(() => new S3Store("s3://bucket")).toThrow("Expected AWS_SECRET_ACCESS_KEY together with AWS_ACCESS_KEY_ID");
  // Without a key requests are not signed.
  vi.stubEnv("AWS_ACCESS_KEY_ID", "");
  expect(await new S3Store("s3://bucket").get("k1")).toEqual(bytes("1"));
  expect(() => new S3Store("s3://")).toThrow("Expected s3://BUCKET/PATH with a bucket of 3 to 63 small letters");
  for (const path of ["../other/x", "a/../../other", "a//b", "./a"]) {
    expect(() => new S3Store(`s3://bucket/${path}`)).toThrow("Expected a path in bucket without .., . and empty parts");
  }
  vi.stubEnv("AWS_ENDPOINT_URL", "127.0.0.1:5555");
  expect(() => new S3Store("s3://bucket")).toThrow("Expected AWS_ENDPOINT_URL to begin with http:// or https://");
});

test.each(["0.4", "0.5"] as const)("labels in a bucket are those of a folder, in OME-Zarr %s", async (version) => {
  const path = folder();
  const data = new Uint32Array(20 * 16 * 12).map((_, i) => (i * 37) % 11);
  const shape = { width: 20, height: 16, depth: 12, chunks: [8, 8, 8], version } as const;
  const write = async (url: string, values: Uint32Array, more: object): Promise<void> => {
    const sink = await zarrSink(url, { ...shape, ...more });
    await sink.write(0, 12, 0, 16, values);
    await sink.beside.set("tables/t.csv", bytes("a table"));
    await sink.finish({ count: 11 });
  };
  for (const shards of version === "0.5" ? [undefined, [16, 16, 8]] : [undefined]) {
    const names = ["alone.zarr", "image.zarr"];
    for (const at of [path, "s3://bucket"]) {
      await write(`${at}/${names[0]}${shards?.[0] ?? ""}`, data, shards ? { shards } : {});
      const image = `${at}/${names[1]}${shards?.[0] ?? ""}`;
      await write(image, data, { labels: false, ...(shards ? { shards } : {}) });
      for (const name of ["one", "two"]) await write(image, data, { name });
      await expect(write(image, data, { name: "two" })).rejects.toThrow(/Expected --overwrite for .*two, which is/);
      await write(
        image,
        data.map((value) => value && 12 - value),
        { name: "two", overwrite: true },
      );
    }
    for (const name of names.map((each) => `${each}${shards?.[0] ?? ""}`)) {
      for (const label of name.startsWith("image") ? ["", "/labels/one", "/labels/two"] : [""]) {
        const [own, other] = [
          await zarrSource(`${path}/${name}${label}`),
          await zarrSource(`s3://bucket/${name}${label}`),
        ];
        expect(await pixelsOf(other)).toEqual(await pixelsOf(own));
        expect({ ...other.space, taken: {} }).toEqual({ ...own.space, taken: {} });
      }
    }
    const image = await openImage(openStore(`s3://bucket/image.zarr${shards?.[0] ?? ""}`));
    expect(await image.labels()).toEqual(["one", "two"]);
    // Of what was replaced nothing is left, and the table lies beside the arrays.
    const two = openStore(`s3://bucket/image.zarr${shards?.[0] ?? ""}/labels/two`) as S3Store;
    const [arrays, ...others] = (await two.list("")).filter((name) => !name.startsWith(".") && name !== "zarr.json");
    expect([arrays, others]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), []]);
    expect(await two.get(`${arrays}/tables/t.csv`)).toEqual(bytes("a table"));
  }
  // One that is given up leaves nothing, and one that is not finished is no image.
  const sink = await zarrSink("s3://bucket/given-up.zarr", shape);
  await sink.write(0, 12, 0, 16, data);
  expect([...served.objects.keys()].some((key) => key.startsWith("given-up.zarr"))).toBe(true);
  await expect(zarrSource("s3://bucket/given-up.zarr")).rejects.toThrow(
    /Expected s3:.*given-up.zarr to hold a Zarr image/,
  );
  await sink.discard();
  expect([...served.objects.keys()].some((key) => key.startsWith("given-up.zarr"))).toBe(false);
  // Of two that replace one image at once the later one is there, whole.
  for (let round = 0; round < 3; round++) {
    const pair = await Promise.all([1, 2].map(() => zarrSink("s3://bucket/pair.zarr", { ...shape, overwrite: true })));
    const values = [1, 2].map((k) => data.map((value) => value && value + k));
    for (const [i, each] of pair.entries()) await each.write(0, 12, 0, 16, values[i]);
    await Promise.all(pair.map((each) => each.finish({ count: 12 })));
    const found = await pixelsOf(await zarrSource("s3://bucket/pair.zarr"));
    expect(values).toContainEqual(found);
    expect(
      (await (openStore("s3://bucket/pair.zarr") as S3Store).list("")).filter((name) => /^[0-9a-f]{16}$/.test(name))
        .length,
    ).toBe(1);
  }
  // Of two at once onto a free name the second is told.
  const both = await Promise.all([1, 2].map(() => zarrSink("s3://bucket/both.zarr", shape)));
  for (const [i, each] of both.entries())
    await each.write(
      0,
      12,
      0,
      16,
      data.map((value) => value + i),
    );
  await both[0].finish({ count: 11 });
  await expect(both[1].finish({ count: 12 })).rejects.toThrow(
    /Could not finish .*both.zarr: another image has its name/,
  );
  expect(await pixelsOf(await zarrSource("s3://bucket/both.zarr"))).toEqual(data);
});

test("an image in a bucket has the pixels of its folder", async () => {
  const path = `${folder()}/v.zarr`;
  const data = new Uint8Array(20 * 16 * 12).map((_, i) => (i * 37) % 251);
  for (const shards of [undefined, [16, 16, 8]]) {
    const url = `${path}${shards ? 1 : 0}`;
    const size = { width: 20, height: 16, depth: 12, type: "u8", labels: false } as const;
    const sink = await zarrSink(url, { ...size, chunks: [8, 8, 8], ...(shards ? { shards } : {}) });
    await sink.write(0, 12, 0, 16, data as never);
    await sink.finish({});
    const { readdirSync, readFileSync, statSync } = await import("node:fs");
    const store = new S3Store("s3://bucket/v.zarr");
    for (const name of readdirSync(url, { recursive: true }) as string[]) {
      if (statSync(`${url}/${name}`).isFile()) await store.set(name, readFileSync(`${url}/${name}`));
    }
    expect(await pixelsOf(await zarrSource("s3://bucket/v.zarr"))).toEqual(await pixelsOf(await zarrSource(url)));
  }
});
