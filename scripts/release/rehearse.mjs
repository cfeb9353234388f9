// Rehearses a release: publishes every package of a clean clone to a registry on loopback, and uses them by name in empty folders, with
// three versions of Node, as a stranger would: the library's program, the command, the page, bundlers, and the uninstall.
//
//     npm run release -- --rehearse

import { execFile, execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openRegistry } from "./loopback-registry.mjs";
import { CHROMIUM, PAGE, serve, titleOf } from "./plain-page.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** Versions of Node, besides the one that runs this. */
const NODES = ["20.20.2", "22.23.3", "24.21.0"];
/** Longest time from an empty folder to the first labelled picture, with packages that npm has cached. */
const MOST_SECONDS = 60;

function check(holds, sentence) {
  if (!holds) throw new Error(`The rehearsal failed: ${sentence}`);
}

/** The program of README, as TypeScript. */
function programOf() {
  const [, code] =
    /```js\n(import \{ open \} from "skerry";[\s\S]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
  check(code !== undefined, "README has no program that begins with the import of open");
  return code;
}

/** A port that nothing uses. */
async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** The folder of a Node's programs: this one's, or one from its npm package. */
async function nodeFolder(version, folder) {
  if (process.versions.node.split(".")[0] === version.split(".")[0]) return dirname(process.execPath);
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const own = join(folder, `node-${version}`);
  mkdirSync(own);
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefix", own, `${name}@${version}`], { cwd: own });
  return join(own, "node_modules", name, "bin");
}

/** Publishes what release.mjs orders, from a clean clone. Returns the environment in which npm finds it. */
async function publishAll(order, folder, registry) {
  const clone = join(folder, "clone");
  execFileSync("git", ["clone", "--quiet", root, clone]);
  await run("npm", ["install", "--no-audit", "--no-fund"], { cwd: clone, maxBuffer: 2 ** 26 });
  const host = registry.address.replace("http:", "");
  const environment = {
    ...process.env,
    npm_config_registry: registry.address,
    [`npm_config_${host}:_authToken`]: "rehearsal",
  };
  for (const own of order) {
    const path = join(clone, "packages", own);
    copyFileSync(join(clone, "CHANGELOG.md"), join(path, "CHANGELOG.md"));
    // The build of npm install is packed; provenance needs the workflow that publishes.
    await run("npm", ["publish", "--ignore-scripts", "--provenance=false", "--access", "public"], {
      cwd: path,
      env: environment,
    });
  }
  return { clone, environment };
}

/** Everything that a stranger does with one Node. */
async function tryWith(version, { folder, clone, environment }) {
  const bin = await nodeFolder(version, folder);
  const own = join(folder, `with-${version}`);
  mkdirSync(own);
  const env = { ...environment, PATH: `${bin}:${process.env.PATH}` };
  const told = async (command, ...args) => (await run(command, args, { cwd: own, env, maxBuffer: 2 ** 26 })).stdout;
  const refused = (command, ...args) =>
    run(command, args, { cwd: own, env }).then(
      () => undefined,
      (error) => error,
    );
  const begin = performance.now();
  const running = (await told("node", "--version")).trim();
  check(running.split(".")[0] === `v${version.split(".")[0]}`, `${running} runs instead of Node ${version}`);
  writeFileSync(join(own, "package.json"), '{ "private": true, "type": "module" }');
  await told("npm", "install", "--no-audit", "--no-fund", "skerry");

  const alone = await refused("npx", "--no-install", "skerry", "label", "picture.png");
  check(
    alone?.code === 2 && alone.stderr.includes("npx @skerry/cli label picture.png"),
    `npx skerry said ${alone?.stderr}`,
  );

  copyFileSync(join(clone, "samples/coins.png"), join(own, "picture.png"));
  await told("npm", "install", "--no-audit", "--no-fund", "@skerry/cli");
  const label = JSON.parse(
    await told("npx", "--no-install", "skerry", "label", "picture.png", "--auto", "--overlay", "seen.png", "--json"),
  );
  check(
    Math.abs(label.count - 24) <= 2 && existsSync(join(own, "seen.png")),
    `npx skerry label found ${label.count} coins`,
  );
  const seconds = (performance.now() - begin) / 1000;

  const program = programOf();
  writeFileSync(join(own, "use.ts"), program);
  writeFileSync(join(own, "use.mjs"), program);
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    noEmit: true,
    lib: ["es2022", "dom"],
    types: [],
  };
  writeFileSync(join(own, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
  await told("npm", "install", "--no-audit", "--no-fund", "typescript@6.0.3");
  await told("npx", "--no-install", "tsc", "-p", "tsconfig.json");
  const answer = await told("node", "use.mjs");
  check(answer.startsWith("2 "), `README's program printed ${answer}`);

  const port = await freePort();
  const lab = spawn("npx", ["--no-install", "@skerry/cli", "lab", "--port", String(port), "--no-open"], {
    cwd: own,
    env,
    detached: true,
  });
  try {
    check((await pageOf(`http://127.0.0.1:${port}/`)).includes("<title>"), "npx @skerry/cli lab serves no page");
  } finally {
    process.kill(-lab.pid);
  }

  await told("npm", "uninstall", "--no-audit", "--no-fund", "skerry", "@skerry/cli");
  // npm itself may leave the empty folder of a scope.
  const left = ["skerry", "@skerry/cli", ".bin/skerry"].filter((name) => existsSync(join(own, "node_modules", name)));
  check(left.length === 0, `uninstalling leaves ${left.join(", ")}`);
  check(!/skerry/.test(readFileSync(join(own, "package.json"), "utf8")), "uninstalling leaves a dependency");
  return { node: running, "first picture, s": seconds.toFixed(1), coins: label.count };
}

/** The page of a server that starts. */
async function pageOf(address) {
  for (let tries = 0; tries < 100; tries++) {
    try {
      return await (await fetch(address)).text();
    } catch {
      await new Promise((done) => setTimeout(done, 100));
    }
  }
  throw new Error(`The rehearsal failed: ${address} does not answer`);
}

/** Vite, esbuild, and a page without a bundler, from the library by its name. */
async function tryBundlers({ folder, environment: env }) {
  const own = join(folder, "bundled");
  mkdirSync(own);
  writeFileSync(join(own, "package.json"), '{ "private": true, "type": "module" }');
  const told = async (command, ...args) => (await run(command, args, { cwd: own, env, maxBuffer: 2 ** 26 })).stdout;
  await told("npm", "install", "--no-audit", "--no-fund", "skerry", "vite@8", "esbuild@0.28.2");
  writeFileSync(join(own, "use.mjs"), programOf());
  await told(
    "npx",
    "--no-install",
    "esbuild",
    "use.mjs",
    "--bundle",
    "--format=esm",
    "--platform=node",
    "--outfile=node.mjs",
  );
  check((await told("node", "node.mjs")).startsWith("2 "), "the program bundled by esbuild answers otherwise");
  writeFileSync(join(own, "index.html"), PAGE.replace("./bundle.js", "skerry"));
  await told("npx", "--no-install", "vite", "build", "--outDir", join(folder, "vite"), "--logLevel", "warn");
  const plain = join(folder, "plain");
  mkdirSync(plain);
  copyFileSync(join(own, "node_modules/skerry/dist/bundle.js"), join(plain, "bundle.js"));
  writeFileSync(join(plain, "index.html"), PAGE);
  if (!existsSync(CHROMIUM)) return console.log(`no ${CHROMIUM}: the pages were not tried`);
  for (const path of [plain, join(folder, "vite")]) {
    const { address, close } = await serve(path);
    const title = await titleOf(`${address}index.html`).finally(close);
    check(title === "2 objects", `the page of ${path} shows ${title}`);
  }
}

/** Rehearses the release of the packages in `order`, dependencies first. */
export async function rehearse(order) {
  const folder = mkdtempSync(join(tmpdir(), "skerry-rehearsal-"));
  const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const registry = await openRegistry(upstream);
  try {
    const published = { folder, ...(await publishAll(order, folder, registry)) };
    check(registry.names().length === order.length, `only ${registry.names().join(", ")} were published`);
    const rows = [];
    for (const version of NODES) rows.push(await tryWith(version, published));
    await tryBundlers(published);
    console.table(rows);
    const slow = rows.find((row) => row["first picture, s"] > MOST_SECONDS);
    check(!slow, `the first picture took ${slow?.["first picture, s"]} s with ${slow?.node}`);
    console.log(
      `${order.length} packages published to loopback, installed by name, used and removed with ${rows.map(({ node }) => node).join(", ")}`,
    );
  } finally {
    registry.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
