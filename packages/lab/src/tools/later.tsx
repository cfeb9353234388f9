// Fields of a tool that are loaded when they are mounted.

import type { ComponentType } from "preact";
import { Later } from "../widgets/Later.js";

export const later =
  (load: () => Promise<ComponentType>): ComponentType =>
  () => <Later load={load} />;
