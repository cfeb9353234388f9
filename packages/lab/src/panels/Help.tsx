// The keys, under `?`.

import { TEXT } from "../text.js";
import { Dialog } from "./Dialog.js";

export function Help() {
  return (
    <Dialog name={TEXT.help} sign="?">
      <dl class="keys">
        {TEXT.keys.map(([key, what]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
