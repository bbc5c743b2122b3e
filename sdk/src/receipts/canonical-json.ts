/** RFC 8785: the one way to write a JSON value. Names are sorted by UTF-16 units, numbers written as JavaScript does. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${members.map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`).join(',')}}`;
  }
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) throw new Error('half a character cannot be written');
  return JSON.stringify(value);
}
