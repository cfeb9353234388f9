// Help under `?`: what people come to do, then the keys.

import { TEXT } from "../text.js";

export function Help() {
  return (
    <>
      <dl class="tasks">
        {TEXT.tasks.map(([task, how]) => (
          <div key={task}>
            <dt>{task}</dt>
            <dd>{how}</dd>
          </div>
        ))}
      </dl>
      <h3>{TEXT.keysTitle}</h3>
      <dl class="keys">
        {TEXT.keys.map(([key, what]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
