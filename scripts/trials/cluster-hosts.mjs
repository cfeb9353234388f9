// Runs over four network hosts of one machine: network namespaces with clocks up to an hour apart and temporary folders of their own, one shared
// folder, one Redis, and links that are cut and slowed at random. Labels and tables are compared with those of one process. Needs root,
// ip, tc, redis-server and libfaketime.
//
//     npm run cluster:hosts [-- --runs 30 --side 64 --block 8 --seed 1]

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { zarrSink } from "@skerry/files/zarr";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "3" },
    side: { type: "string", default: "64" },
    block: { type: "string", default: "8" },
    seed: { type: "string", default: "1" },
  },
});
const [runs, side, block] = [values.runs, values.side, values.block].map(Number);
const skerry = fileURLToPath(new URL("../../packages/cli/bin/skerry.js", import.meta.url));
const faketime = ["x86_64", "aarch64"]
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path));
if (process.getuid?.() !== 0 || faketime === undefined) {
  console.error(
    "Expected root, and libfaketime (apt-get install faketime), for network hosts with clocks of their own.",
  );
  process.exit(1);
}

let state = Number(values.seed);
const draw = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const quiet = (command, ...args) =>
  execFileSync(command, args, { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });
const attempt = (command, ...args) => {
  try {
    return quiet(command, ...args);
  } catch {
    return "";
  }
};

const folder = mkdtempSync(join(tmpdir(), "skerry-hosts-"));
const hosts = [1, 2, 3, 4].map((k) => ({ k, name: `skerry${k}`, hours: [0, 1, -1, 0.5][k - 1] }));
const PORT = 6390;
const SERVER = `redis://10.77.0.254:${PORT}`;
const processes = [];

function removeHosts() {
  for (const { k, name } of hosts) {
    attempt("ip", "netns", "del", name);
    // The link goes with the last process of its host, or here.
    attempt("ip", "link", "del", `skerryv${k}`);
  }
  attempt("ip", "link", "del", "skerrybr");
}

function makeHosts() {
  removeHosts();
  quiet("ip", "link", "add", "skerrybr", "type", "bridge");
  quiet("ip", "addr", "add", "10.77.0.254/24", "dev", "skerrybr");
  quiet("ip", "link", "set", "skerrybr", "up");
  for (const { k, name } of hosts) {
    quiet("ip", "netns", "add", name);
    quiet("ip", "link", "add", `skerryv${k}`, "type", "veth", "peer", "name", "eth0", "netns", name);
    quiet("ip", "link", "set", `skerryv${k}`, "master", "skerrybr", "up");
    quiet("ip", "-n", name, "addr", "add", `10.77.0.${k}/24`, "dev", "eth0");
    quiet("ip", "-n", name, "link", "set", "eth0", "up");
    quiet("ip", "-n", name, "link", "set", "lo", "up");
  }
}

function startWorker({ name, hours }) {
  const own = join(folder, `tmp-${name}`);
  mkdirSync(own, { recursive: true });
  const clock = [
    `FAKETIME=${hours >= 0 ? "+" : ""}${hours}h`,
    "FAKETIME_DONT_FAKE_MONOTONIC=1",
    `LD_PRELOAD=${faketime}`,
  ];
  const command = [process.execPath, skerry, "cluster", "worker", SERVER, "--allow", folder, "--threads", "1"];
  const child = spawn("ip", ["netns", "exec", name, "env", `TMPDIR=${own}`, ...clock, ...command], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.stderr.on("data", (text) => process.env.SKERRY_DEBUG && process.stderr.write(`${name}: ${text}`));
  processes.push(child);
}

/** Cuts or slows a link for a while, until the run has ended. */
async function disturb(isOver, counts) {
  while (!isOver()) {
    await wait(200 + draw() * 1500);
    const { name } = hosts[Math.floor(draw() * hosts.length)];
    if (draw() < 0.6) {
      counts.cuts++;
      attempt("ip", "-n", name, "link", "set", "eth0", "down");
      await wait(100 + draw() * 2500);
      attempt("ip", "-n", name, "link", "set", "eth0", "up");
    } else {
      counts.slow++;
      attempt(
        "ip",
        "netns",
        "exec",
        name,
        "tc",
        "qdisc",
        "add",
        "dev",
        "eth0",
        "root",
        "netem",
        "delay",
        "40ms",
        "loss",
        "20%",
      );
      await wait(300 + draw() * 2000);
      attempt("ip", "netns", "exec", name, "tc", "qdisc", "del", "dev", "eth0", "root");
    }
  }
}

/** Everything that a run wrote, but the name of the run. */
function outputs(path) {
  const names = readdirSync(path, { recursive: true }).filter((name) => statSync(join(path, name)).isFile());
  return new Map(
    names.filter((name) => !name.endsWith(".run")).map((name) => [name, readFileSync(join(path, name), "base64")]),
  );
}

const call = (...args) => quiet(process.execPath, skerry, ...args, "--allow", folder);

async function main() {
  const sink = await zarrSink(join(folder, "v.zarr"), {
    width: side,
    height: side,
    depth: side,
    type: "u8",
    labels: false,
    chunks: [block, block, block],
  });
  const data = new Uint8Array(side ** 3).map(() => (draw() < 0.3 ? 200 : 10));
  await sink.write(0, side, 0, side, data);
  await sink.finish({});
  makeHosts();
  const redis = spawn(
    "redis-server",
    ["--bind", "10.77.0.254", "--port", `${PORT}`, "--protected-mode", "no", "--save", ""],
    { stdio: "ignore" },
  );
  processes.push(redis);
  await wait(500);
  const plan = (name) => {
    const own = join(folder, name);
    mkdirSync(own);
    const text = quiet(
      process.execPath,
      skerry,
      "plan",
      "label",
      join(folder, "v.zarr"),
      "--threshold",
      ">100",
      "--connectivity",
      "26",
      "-o",
      join(own, "l.zarr"),
      "--regions",
      join(own, "t.csv"),
      "--block",
      `${block}`,
      "--scratch",
      join(folder, `scratch-${name}`),
    );
    const path = join(folder, `${name}.json`);
    execFileSync("tee", [path], { input: text, stdio: ["pipe", "ignore", "inherit"] });
    return path;
  };
  call("cluster", "submit", plan("alone"), "--workers", "1", "--quiet");
  const expected = JSON.stringify([...outputs(join(folder, "alone"))].sort());
  for (const host of hosts) startWorker(host);
  const rows = [];
  for (let n = 0; n < runs; n++) {
    const path = plan(`run${n}`);
    const begin = performance.now();
    let over = false;
    const counts = { cuts: 0, slow: 0 };
    const disturbing = disturb(() => over, counts);
    await new Promise((resolve, reject) => {
      const child = spawn(
        process.execPath,
        [skerry, "cluster", "submit", path, "--on", SERVER, "--allow", folder, "--quiet"],
        {
          stdio: "inherit",
        },
      );
      child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`submit ended with ${code}`))));
    });
    over = true;
    const seconds = Math.round((performance.now() - begin) / 100) / 10;
    await disturbing;
    const isEqual = JSON.stringify([...outputs(join(folder, `run${n}`))].sort()) === expected;
    rows.push({ run: n + 1, seconds, ...counts, equal: isEqual });
    console.log(JSON.stringify(rows.at(-1)));
    call("cluster", "clean", path, "--quiet");
    rmSync(join(folder, `run${n}`), { recursive: true });
  }
  const equal = rows.filter((row) => row.equal).length;
  console.log(
    `${equal} of ${runs} runs of ${(side / block) ** 3} blocks on four network hosts of one machine are those of one process`,
  );
  return equal === runs ? 0 : 1;
}

let code = 1;
try {
  code = await main();
} finally {
  for (const child of processes) child.kill("SIGKILL");
  removeHosts();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(code);
