// Repeated names in JSON, of which a parser silently keeps the last.

/** A string of JSON, or a bracket, or a comma. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * The first name that an object of a JSON text holds twice; undefined if there is none. O(text).
 * @param text JSON without faults
 * @example
 * import { repeatedName } from "@skerry/recipe";
 * console.log(repeatedName('{ "options": { "minArea": 5, "minArea": 9 } }')); // minArea
 */
export function repeatedName(text: string): string | undefined {
  // The names of every open object; undefined stands for a list.
  const open: (Set<string> | undefined)[] = [];
  let last = "";
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const name = JSON.parse(last) as string;
      const names = open.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    } else if (token !== ",") last = token;
  }
  return undefined;
}
