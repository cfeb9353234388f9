// In the line at the foot, where there is a GPU: whether both devices give the same bits.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { checkGpu, compare } from "../session/results.js";
import { speeds } from "../state/engine.js";
import { busyComparing, comparison } from "../state/lab.js";
import { DEVICES } from "../words/devices.js";

function Badge() {
  const { value } = comparison;
  if (!value) return null;
  return (
    <strong class={value.same ? "badge" : "badge differ"} data-testid="badge">
      {value.same ? DEVICES.same(value.cpu, value.gpu) : DEVICES.differ}
    </strong>
  );
}

function CheckGpu() {
  const line = useSignal("");
  const busy = useSignal(false);
  const run = async (): Promise<void> => {
    busy.value = true;
    line.value = await checkGpu((done, count) => {
      line.value = DEVICES.checking(done, count);
    });
    busy.value = false;
  };
  return (
    <>
      <button type="button" disabled={busy.value} onClick={run}>
        {DEVICES.checkGpu}
      </button>
      {line.value && (
        <input
          class="checked"
          type="text"
          readOnly
          name="checked"
          aria-label={DEVICES.checkGpu}
          value={line.value}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
    </>
  );
}

/** From how many pixels on the engine takes the GPU, as it was measured here. */
function Speeds() {
  const text = useSignal("");
  useEffect(() => {
    const tell = (): void => {
      text.value = DEVICES.from(speeds());
    };
    tell();
    // Measured while the page is idle.
    const timer = setInterval(tell, 2000);
    return () => clearInterval(timer);
  }, []);
  return text.value ? <span data-testid="speeds">{text.value}</span> : null;
}

export function Gpu() {
  return (
    <>
      <Speeds />
      <button type="button" disabled={busyComparing.value !== ""} onClick={compare}>
        {DEVICES.compareDevices}
      </button>
      <Badge />
      <CheckGpu />
    </>
  );
}
