// Exports for our own packages beyond the library's public names. They are not documented, and change without notice.

export {
  type Joins,
  joinComponents,
  type Meeting,
  meetingsAt,
  type NumberedStrips,
  numberStrips,
  type SeamSide,
} from "./core/join-components.js";
export { nearest } from "./options/names.js";
export {
  factsOf,
  isList,
  isNumber,
  isOfIntensity,
  type NumberProperty,
  PROPERTIES,
  type PropertyFacts,
  type PropertyUnit,
  titleOf,
} from "./types/region-properties.js";
