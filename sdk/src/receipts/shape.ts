/** Whether a value has a form, in functions that never throw. */

export type Shape = (value: unknown) => boolean;

export const text =
  (pattern: RegExp, longest = Number.POSITIVE_INFINITY): Shape =>
  (value) =>
    typeof value === 'string' && value.length <= longest && pattern.test(value);

export const whole =
  (least = Number.NEGATIVE_INFINITY): Shape =>
  (value) =>
    Number.isInteger(value) && (value as number) >= least;

export const oneOf =
  (...values: readonly unknown[]): Shape =>
  (value) =>
    values.includes(value);

export const orNull =
  (shape: Shape): Shape =>
  (value) =>
    value === null || shape(value);

export const list =
  (item: Shape, least: number, most: number): Shape =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.length <= most && value.every(item);

/** Exactly these members; those of `more` may be missing. */
export const closed =
  (members: Record<string, Shape>, more: Record<string, Shape> = {}): Shape =>
  (value) =>
    isObject(value) &&
    Object.keys(value).every((name) => Object.hasOwn(members, name) || Object.hasOwn(more, name)) &&
    Object.entries(members).every(([name, shape]) => Object.hasOwn(value, name) && shape(value[name])) &&
    Object.entries(more).every(([name, shape]) => !Object.hasOwn(value, name) || shape(value[name]));

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
