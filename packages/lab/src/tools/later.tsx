// Fields of a tool that are loaded once they are wanted.

import type { ComponentType } from "preact";
import { Later } from "../panels/Later.js";

export const later =
  (load: () => Promise<ComponentType>): ComponentType =>
  () => <Later load={load} />;
