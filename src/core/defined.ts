/** Members that may be left out, and that are never present with the value `undefined`. */
type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * The members that have a value, to be spread into an object literal: `{ id, ...defined({ title, agent }) }`. JSON and
 * `exactOptionalPropertyTypes` tell a member that is absent from one that is undefined, so those are left out. Null is a
 * value.
 */
export function defined<T extends object>(members: T): Defined<T> {
  const kept: Partial<T> = {};
  for (const key in members) if (members[key] !== undefined) kept[key] = members[key];
  return kept as Defined<T>;
}
