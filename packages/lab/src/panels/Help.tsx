// Help under `?`: what people come to do, then the keys.

import { HELP } from "../dialogs.js";

export function Help() {
  return (
    <>
      <dl class="tasks">
        {HELP.tasks.map(([task, how]) => (
          <div key={task}>
            <dt>{task}</dt>
            <dd>{how}</dd>
          </div>
        ))}
      </dl>
      <h3>{HELP.keysTitle}</h3>
      <dl class="keys">
        {HELP.keys.map(([key, what]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
