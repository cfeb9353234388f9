// Finds gaps in the library's reference: properties without a description, calls without an example or without their errors.

import { ReflectionKind } from "typedoc";

/** Calls that cannot fail, or whose class describes the errors of all its calls. */
const CALM = /^(Engine\.(close|free)\(\)|\w+\.(dispose|\[\w+\])\(\))$/;

/** Sentences about the gaps of the package skerry. */
export function gapsOf(project) {
  const [library] = project.getChildrenByKind(ReflectionKind.Module).filter(({ name }) => name === "skerry");
  const gaps = [];
  for (const name of library.children) {
    const holder = name.kindOf(ReflectionKind.ClassOrInterface);
    for (const property of holder ? name.getChildrenByKind(ReflectionKind.Property) : []) {
      if (!property.hasComment()) gaps.push(`skerry: ${name.name}.${property.name} has no description`);
    }
    const calls = name.kindOf(ReflectionKind.Function)
      ? [name]
      : name.kindOf(ReflectionKind.Class)
        ? name.getChildrenByKind(ReflectionKind.Method)
        : [];
    for (const call of calls) {
      const own = call === name ? call.name : `${name.name}.${call.name}()`;
      if (CALM.test(own)) continue;
      const comments = call.signatures.map(({ comment }) => comment).filter(Boolean);
      const text = comments.flatMap(({ summary, blockTags }) => [summary, ...blockTags.map(({ content }) => content)]);
      const words = text
        .flat()
        .map((part) => part.text)
        .join("");
      const tags = comments.flatMap(({ blockTags }) => blockTags.map(({ tag }) => tag));
      if (!tags.includes("@example")) gaps.push(`skerry: ${own} has no example`);
      if (!tags.includes("@throws") && !/reject|throw|fail|as in|otherwise as|like \{@link/i.test(words)) {
        gaps.push(`skerry: ${own} does not tell how it fails`);
      }
    }
  }
  return gaps;
}
