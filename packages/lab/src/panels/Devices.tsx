// The line at the foot: which device, and how long its stages took.

import type { DeviceChoice } from "../engine/devices.js";
import { EMBEDDER } from "../state/browser.js";
import { chooseDevice } from "../state/engine.js";
import { calls, choice, device, drawMilliseconds, hasGpu, reading, stages } from "../state/lab.js";
import { Choice } from "../widgets/fields.js";
import { Later } from "../widgets/Later.js";
import { TEXT } from "../words/text.js";

const gpu = async () => (await import("./Gpu.js")).Gpu;
const DEVICES = Object.entries(TEXT.devices) as [DeviceChoice, string][];

export function Devices() {
  const times = stages.value.map(({ stage, milliseconds }) => `${stage} ${milliseconds.toFixed(1)}`);
  return (
    <footer>
      {hasGpu.value ? (
        <Choice
          {...{ name: "device", label: TEXT.device, value: choice.value, options: DEVICES, quiet: true }}
          change={chooseDevice}
        />
      ) : null}
      <span data-testid="device">{device.value}</span>
      <span class="stages" data-testid="stages">
        {calls.value.count > 1 ? `${TEXT.calls(calls.value.first, calls.value.last)}: ` : ""}
        {times.length > 0 ? `${[...times, `draw ${drawMilliseconds.value.toFixed(1)}`].join(", ")} ms` : ""}
      </span>
      {hasGpu.value && <Later load={gpu} />}
      <span class="reading">{reading.value}</span>
      <span class="stays">{TEXT.stays(EMBEDDER)}</span>
    </footer>
  );
}
