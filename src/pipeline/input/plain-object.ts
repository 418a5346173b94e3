/**
 * Whether a value is an object of named fields and nothing else: no list, no instance of a class, no object that
 * inherits fields. Of any realm.
 */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === null ||
    (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'hasOwnProperty'))
  );
}
