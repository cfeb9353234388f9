// Panels that are loaded after the first picture, or by those who open them.

import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";

/** Loads a panel once it is wanted, and shows it. */
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
