/** Where arrays lie that would be copied for each thread, as paths of members. */
export function unsharedIn(value: unknown, path = ''): string[] {
  if (ArrayBuffer.isView(value)) return value.buffer instanceof SharedArrayBuffer ? [] : [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => unsharedIn(item, `${path}/${name}`));
}
