// Bundles peers/gpuraster.mjs with the user's checkout of luma.gl, whose packages for it are private, and prints where it is. A machine
// without the tools of development takes that file instead of the checkout.
//
//     node bench/gpuraster-bundle.mjs CHECKOUT
//
// The checkout needs its dependencies: `yarn install` there, or @math.gl/core, @math.gl/types, @probe.gl/env, @probe.gl/log and
// @probe.gl/stats in its node_modules.

import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Below the repository, so that the bundle finds the webgpu package. */
const BUNDLE = fileURLToPath(new URL("../../../node_modules/.cache/skerry-gpuraster.mjs", import.meta.url));
const MODULES = ["core", "engine", "experimental", "gpgpu", "shadertools", "webgpu"];

/** The path of the bundle of a checkout, or `source` itself if that is a bundle. */
export async function bundledGpuRaster(source) {
  if (source.endsWith(".mjs")) return resolve(source);
  const { build } = await import("esbuild");
  const at = (...names) => join(resolve(source), ...names);
  await build({
    entryPoints: [fileURLToPath(new URL("peers/gpuraster.mjs", import.meta.url))],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: BUNDLE,
    external: ["webgpu"],
    nodePaths: [at("node_modules")],
    alias: Object.fromEntries(MODULES.map((name) => [`@luma.gl/${name}`, at("modules", name, "src")])),
    logLevel: "silent",
  });
  return BUNDLE;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await bundledGpuRaster(process.argv[2]));
