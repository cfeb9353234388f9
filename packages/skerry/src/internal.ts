// What our own packages take of the library beyond its public names. It is not documented, and changes without notice.

export {
  type Joins,
  joinComponents,
  type Meeting,
  meetingsAt,
  type NumberedStrips,
  numberStrips,
  type SeamSide,
} from "./core/join-components.js";
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
