// Saves what was found in a volume, through the writers of the command line.

import { type Fill, MemoryOutput, writeRegions } from "@skerry/files";
import { frameOf, labelValues, maskValues, wantedBy, writerOf } from "@skerry/files/internal";
import type { Sink } from "skerry";
import { download } from "../../state/download.js";
import { done } from "../../state/lab.js";
import { TEXT } from "../../words/text.js";
import { savedVolume } from "./run.js";
import { held, result } from "./state.js";

export type VolumeSave = "table" | "labels" | "mask" | "distances" | "recipe";

/** Makes a file and hands it to the browser. */
export async function saveVolume(what: VolumeSave): Promise<void> {
  const { value: found } = result;
  const { value: volume } = held;
  if (!found || !volume) return;
  const { space } = volume.opened;
  const file = new MemoryOutput();
  let ending = "-labels.nii";
  if (what === "recipe") {
    ending = "-recipe.json";
    file.write(new TextEncoder().encode(`${JSON.stringify(savedVolume(), undefined, 2)}\n`));
  } else if (what === "table") {
    ending = "-regions.csv";
    const physical = volume.unit !== undefined;
    const regions = await found.components.regions({ properties: "usual", intensity: volume.image, physical });
    await writeRegions(file, regions, "csv", { depth: space.axes[2].size, frame: frameOf(space, { physical }) });
  } else if (what === "labels") {
    const { layout, fill } = labelValues(found.components, "u32", space);
    await writerOf(".nii", wantedBy(layout))?.writer.write(file, layout, fill);
  } else if (what === "mask") {
    ending = "-mask.nii";
    const { layout, fill } = maskValues(await found.components.mask(), "bool", { space });
    await writerOf(".nii", wantedBy(layout))?.writer.write(file, layout, fill);
  } else if (found.map) {
    ending = "-distances.nii";
    const { data, width, height, depth } = found.map;
    const layout = { width, height, depth, space, type: "f32" as const, description: "distances by skerry" };
    const fill = async (sink: Sink<Float32Array>): Promise<void> => {
      await sink.write(0, depth, 0, height, data as Float32Array);
    };
    await writerOf(".nii", wantedBy(layout))?.writer.write(file, layout, fill as Fill);
  }
  done.value = TEXT.saved(download(new Blob(file.chunks.slice()), ending));
}
