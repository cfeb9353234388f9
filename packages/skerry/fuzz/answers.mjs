// The slow reference implementations of the tests, which are TypeScript and therefore bundled for this process.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = fileURLToPath(new URL("../test/oracles/", import.meta.url));
const contents = Object.entries({
  oracle: "components",
  solids: "solids",
  distances: "distance",
  clusters: "kmeans",
  polygons: "polygons",
})
  .map(([name, file]) => `export * as ${name} from "./${file}.ts";`)
  .join("\n");
const { outputFiles } = await build({
  stdin: { contents, resolveDir: folder, loader: "ts" },
  bundle: true,
  format: "esm",
  platform: "node",
  write: false,
});
const answers = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);

export const { oracle, solids, distances, clusters, polygons } = answers;
