/** Whether a value has a form, in functions that never throw. */

export type Shape = (value: unknown) => boolean;

export const text =
  (pattern: RegExp, longest = Number.POSITIVE_INFINITY): Shape =>
  (it) =>
    typeof it === 'string' && it.length <= longest && pattern.test(it);

export const whole =
  (least = Number.NEGATIVE_INFINITY): Shape =>
  (it) =>
    Number.isInteger(it) && (it as number) >= least;

export const oneOf =
  (...values: readonly unknown[]): Shape =>
  (it) =>
    values.includes(it);

export const orNull =
  (shape: Shape): Shape =>
  (it) =>
    it === null || shape(it);

export const list =
  (item: Shape, least: number, most: number): Shape =>
  (it) =>
    Array.isArray(it) && it.length >= least && it.length <= most && it.every(item);

/** Exactly these members; those of `more` may be missing. */
export const closed =
  (members: Record<string, Shape>, more: Record<string, Shape> = {}): Shape =>
  (it) =>
    isObject(it) &&
    Object.keys(it).every((name) => Object.hasOwn(members, name) || Object.hasOwn(more, name)) &&
    Object.entries(members).every(([name, shape]) => Object.hasOwn(it, name) && shape(it[name])) &&
    Object.entries(more).every(([name, shape]) => !Object.hasOwn(it, name) || shape(it[name]));

export const isObject = (it: unknown): it is Record<string, unknown> =>
  typeof it === 'object' && it !== null && !Array.isArray(it);
