// skerry info: the CPU and GPU of this machine, and when `auto` uses the GPU; or what a file holds.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, cpus } from "node:os";
import { Command } from "commander";
import { open } from "skerry";
import { defined, measureSpeeds } from "skerry/internal";
import { printable, UsageError } from "../errors.js";
import { rawLayout } from "./arguments.js";
import { RecipeFlags } from "./fields.js";
import { isZarr } from "./stores.js";

interface Info {
  readonly versions: Record<string, string>;
  readonly cpu: { readonly model: string; readonly cores: number; readonly threads: number; readonly shared: boolean };
  readonly gpu?: Record<string, unknown>;
  /** Pixels from which engines with device auto use the GPU, by kind of work; null if they never do. */
  readonly gpuFrom?: Readonly<Record<string, number>>;
  /** Why there is no GPU. */
  readonly without?: string;
}

export function infoCommand(): Command {
  const command = new Command("info")
    .summary(
      "what a file holds and what is taken of it; adapters, limits, threads and versions; --bench times an input on all of them",
    )
    .description(
      "Prints what skerry finds on this machine: the GPU adapter with its features and limits, threads, versions. With INPUT, what a file or folder that any command reads holds: format, type, channels, axes, size of a pixel, place, and what is taken of it and why; of an OME-Zarr image its levels, shape, chunks, codec, size, and what label would need.",
    )
    .argument("[INPUT]", "an image or volume, a folder, an OME-Zarr image, a ZIP of one, or its URL, or - for stdin")
    .option("--bench", "time INPUT on every device and thread count instead: skerry info --bench --help")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExit codes: 0 done, 1 the input could not be read, 2 a wrong call.");
  const flags = new RecipeFlags(command, undefined, "How to read:", {
    operations: ["components"],
    only: ["shape", "dtype"],
  });
  return command.action(async (image: string | undefined, { json }: { json?: boolean }) => {
    const raw = rawLayout(flags.recipe().input);
    if (image === undefined && raw) throw new UsageError("Expected INPUT together with --shape, got none.");
    if (image !== undefined) {
      if (await isZarr(image)) {
        if (raw) throw new UsageError(`Expected no --shape for ${image}, which is an OME-Zarr image.`);
        const { infoOfStore, storeAsText } = await import("./info-store.js");
        const facts = await infoOfStore(image);
        console.log(json ? JSON.stringify(facts) : storeAsText(facts));
        return;
      }
      const { fileAsText, infoOfFile } = await import("./info-file.js");
      const fileFacts = await infoOfFile(image, raw);
      console.log(json ? JSON.stringify(fileFacts) : printableLines(fileAsText(fileFacts)));
      return;
    }
    const info = await gather();
    console.log(json ? JSON.stringify(info) : asText(info));
  });
}

/** Lines for a terminal, whatever the names in them hold. */
const printableLines = (text: string): string => text.split("\n").map(printable).join("\n");

async function gather(): Promise<Info> {
  const manifest = new URL("../../package.json", import.meta.url);
  const versions: Record<string, string> = {
    skerry: (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version,
    node: process.version,
    webgpu: packageVersion("webgpu") ?? "not installed",
  };
  const engine = await open({ device: "cpu" });
  const { threads, shared } = engine.describe();
  await engine.close();
  const cpu = { model: cpus()[0]?.model ?? "unknown", cores: availableParallelism(), threads, shared };
  try {
    const device = await open({ device: "gpu" });
    const { gpu } = device.describe();
    await device.close();
    return defined({ versions, cpu, gpu: { ...gpu }, gpuFrom: gpu?.software ? undefined : await measuredSpeeds() });
  } catch (error) {
    return { versions, cpu, without: (error as Error).message };
  }
}

/** For example "for components from 1.3 Mpx on, not for distance". */
function speedsText(gpuFrom: Readonly<Record<string, number>>): string {
  const texts = Object.entries(gpuFrom).map(([work, pixels]) =>
    Number.isFinite(pixels) ? `for ${work} from ${(pixels / 1e6).toFixed(1)} Mpx on` : `not for ${work}`,
  );
  return texts.join(", ");
}

/** Pixels from which the GPU does each kind of work, measured now where they were not. */
async function measuredSpeeds(): Promise<Readonly<Record<string, number>>> {
  const engine = await open();
  await measureSpeeds(engine);
  const { gpuFrom = {} } = engine.describe();
  await engine.close();
  return gpuFrom;
}

function packageVersion(name: string): string | undefined {
  try {
    const path = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
  } catch {
    return undefined;
  }
}

function asText({ versions, cpu, gpu, gpuFrom, without }: Info): string {
  const lines = [
    `skerry    ${versions.skerry}, Node ${versions.node}, webgpu ${versions.webgpu}`,
    `cpu       ${cpu.model}, ${cpu.cores} cores; ${cpu.threads} threads${cpu.shared ? " over shared memory" : ", no shared memory"}`,
  ];
  if (!gpu) {
    const missing = versions.webgpu === "not installed";
    const way = missing ? ["          npx -p @skerry/cli -p webgpu skerry info runs with the package webgpu."] : [];
    return [...lines, `gpu       none. ${without}`, ...way].join("\n");
  }
  const { description, vendor, architecture, software, features, bindingBytes, bufferBytes } = gpu as {
    [key in "description" | "vendor" | "architecture"]: string;
  } & { software: boolean; features: string[]; bindingBytes: number; bufferBytes: number };
  const mebibytes = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)} MiB`;
  return [
    ...lines,
    `gpu       ${description} (${[vendor, architecture].filter(Boolean).join(", ")})${software ? ", in software" : ""}`,
    `limits    ${mebibytes(bindingBytes)} bound at once, ${mebibytes(bufferBytes)} per buffer`,
    `features  ${features.join(", ")}`,
    ...(gpuFrom ? [`library   auto uses it ${speedsText(gpuFrom)}`] : []),
    `auto      ${software ? "does not use this adapter, but the CPU" : "uses it for half a gigapixel or more; --device gpu always does"}`,
  ].join("\n");
}
