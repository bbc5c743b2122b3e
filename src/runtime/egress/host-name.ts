const MAX_NAME = 253;
const LABEL = /^[a-z0-9_-]{1,63}$/;
/** The last label of a name is never a number: such texts are addresses in one of their many forms. */
const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/;

/**
 * The one form in which names are compared: lower-case ASCII without a final dot. Null if it is not a host name, which
 * includes addresses in every form (dotted, decimal, octal, hexadecimal, IPv6).
 */
export function canonicalName(text: string): string | null {
  if (text.length > MAX_NAME + 1) return null;
  const name = (text.endsWith('.') ? text.slice(0, -1) : text).toLowerCase();
  const labels = name.split('.');
  if (name.length > MAX_NAME || !labels.every((label) => LABEL.test(label))) return null;
  return NUMBER.test(labels.at(-1) as string) ? null : name;
}
