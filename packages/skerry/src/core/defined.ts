// Object literals with fields that may be undefined, without those that are: what is not given is not there.

/** Fields of T; those of a record may be undefined, as optional ones may. */
type Fields<T> = { [K in keyof T]: string extends K ? T[K] | undefined : T[K] };

/**
 * The fields that have a value. The type comes from where the result goes, so that TypeScript checks their names, which it
 * does not in `{ ...(depth > 1 ? { depth } : {}) }`.
 */
export function defined<T>(fields: NoInfer<Fields<T>>): T {
  const all = Object.entries(fields as object);
  const left = all.filter(([, value]) => value !== undefined);
  return (left.length === all.length ? fields : Object.fromEntries(left)) as T;
}
