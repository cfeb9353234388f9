// The line at the foot: which device, how long its stages took, and whether both devices give the same bits.

import { useSignal } from "@preact/signals";
import type { DeviceChoice } from "../engine/devices.js";
import { checkGpu, compare } from "../session/results.js";
import { chooseDevice } from "../state/engine.js";
import {
  busyComparing,
  calls,
  choice,
  comparison,
  device,
  drawMilliseconds,
  hasGpu,
  reading,
  stages,
} from "../state/lab.js";
import { Choice } from "../widgets/fields.js";
import { TEXT } from "../words/text.js";

const DEVICES = Object.entries(TEXT.devices) as [DeviceChoice, string][];

function Badge() {
  const { value } = comparison;
  if (!value) return null;
  return (
    <strong class={value.same ? "badge" : "badge differ"} data-testid="badge">
      {value.same ? TEXT.same(value.cpu, value.gpu) : TEXT.differ}
    </strong>
  );
}

function CheckGpu() {
  const line = useSignal("");
  const busy = useSignal(false);
  const run = async (): Promise<void> => {
    busy.value = true;
    line.value = await checkGpu((done, count) => {
      line.value = TEXT.checking(done, count);
    });
    busy.value = false;
  };
  return (
    <>
      <button type="button" disabled={busy.value} onClick={run}>
        {TEXT.checkGpu}
      </button>
      {line.value && (
        <input
          class="checked"
          type="text"
          readOnly
          name="checked"
          aria-label={TEXT.checkGpu}
          value={line.value}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
    </>
  );
}

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
      {hasGpu.value && (
        <>
          <button type="button" disabled={busyComparing.value !== ""} onClick={compare}>
            {TEXT.compareDevices}
          </button>
          <Badge />
          <CheckGpu />
        </>
      )}
      <span class="reading">{reading.value}</span>
      <span class="stays">{TEXT.stays}</span>
    </footer>
  );
}
