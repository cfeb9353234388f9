// Panels that are loaded after the first picture, or when they open.

import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";

/** Loads a panel when it is mounted, and shows it. */
export function Later({ load }: { load: () => Promise<ComponentType> }) {
  // A component is a function, which a signal's setter would not call.
  const panel = useSignal<{ readonly Panel: ComponentType } | undefined>(undefined);
  useEffect(() => {
    let isHere = true;
    load().then((Panel) => {
      if (isHere) panel.value = { Panel };
    });
    return () => {
      isHere = false;
    };
  }, [load]);
  if (!panel.value) return null;
  const { Panel } = panel.value;
  return <Panel />;
}
