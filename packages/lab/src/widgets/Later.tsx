// Panels that are loaded after the first picture, or when they open.

import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";

/** Loads a panel when it is mounted, and shows it. */
export function Later({ load }: { load: () => Promise<ComponentType> }) {
  const [fault] = useErrorBoundary();
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
  // A fault of one panel leaves the others as they are.
  if (fault) return <p role="alert">{fault.message}</p>;
  if (!panel.value) return null;
  const { Panel } = panel.value;
  return <Panel />;
}
