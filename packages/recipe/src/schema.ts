// The JSON schema of recipes, made from the table: for editors, and for people who write recipes by hand.

import { OPERATIONS, PARTS } from "./field.js";
import { fieldsOf } from "./fields.js";
import { OF_FILES } from "./files.js";

/**
 * The JSON schema (draft 2020-12) of recipes of this version.
 * @example
 * import { schema } from "@skerry/recipe";
 * console.log(JSON.stringify(schema()).length > 1000); // true
 */
export function schema(): Record<string, unknown> {
  const variants = OPERATIONS.map((operation) => {
    const parts = PARTS.map((part) => {
      const fields = fieldsOf(operation).filter((field) => field.part === part);
      const properties = fields.map(({ name, kind, help, unit, otherwise }) => [
        name,
        {
          description: `${help}${unit ? ` (${unit})` : ""}${otherwise ? `. Default: ${otherwise}` : ""}.`,
          ...kind.schema,
        },
      ]);
      return [part, { type: "object", properties: Object.fromEntries(properties), additionalProperties: false }];
    });
    const { input, options } = Object.fromEntries(parts);
    const schema = { type: "object", properties: { input, options }, additionalProperties: false };
    const files = OF_FILES.includes(operation) && {
      files: { description: "Settings of single files, by name.", type: "object", additionalProperties: schema },
    };
    return {
      type: "object",
      properties: { skerry: { const: 1 }, operation: { const: operation }, ...Object.fromEntries(parts), ...files },
      required: ["skerry", "operation"],
      additionalProperties: false,
    };
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A recipe of skerry, version 1",
    oneOf: variants,
  };
}
