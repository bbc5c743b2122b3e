import { domainToASCII } from 'node:url';
import { coreProblem } from '#core/errors.ts';

/**
 * Normalizes email addresses, so that one mailbox is one account. The local part is lower-case ASCII: servers that
 * distinguish case are rare, look-alike letters are an attack. The domain is in ASCII (punycode) form.
 */

const MAX_LOCAL = 64;
const MAX_ADDRESS = 254;
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Throws `http.invalid` (`input`) for an invalid address, which reveals nothing about accounts. */
export function readAddress(text: string): string {
  const address = normalAddress(text);
  if (address === null)
    throw coreProblem(
      'http.invalid',
      'Invalid email address. Use the form name@example.org; the name must be ASCII letters, digits and ' + 'symbols.',
      { reason: 'input', errors: [{ pointer: '/email', detail: 'must be an email address with an ASCII local part' }] },
    );
  return address;
}

/** Returns the normalized address, or null if it is invalid. Linear in the length. */
export function normalAddress(text: string): string | null {
  if (text.length > MAX_ADDRESS + 64) return null;
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  const local = trimmed.slice(0, Math.max(0, at));
  const domain = normalDomain(trimmed.slice(at + 1));
  if (domain === null || !isLocal(local)) return null;
  const address = `${local.toLowerCase()}@${domain}`;
  return address.length > MAX_ADDRESS ? null : address;
}

/** Checked before lower-casing, because the lower case of some other letters, such as the Kelvin sign, is ASCII. */
const isLocal = (local: string): boolean =>
  local.length <= MAX_LOCAL &&
  LOCAL.test(local) &&
  !local.startsWith('.') &&
  !local.endsWith('.') &&
  !local.includes('..');

/** Characters that Node's domainToASCII, made for URLs, would cut off, decode or drop. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NOT_IN_DOMAIN = /[\x00-\x2c\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]/;

/** Requires at least two labels: neither a bare host nor a numeric address. */
function normalDomain(text: string): string | null {
  if (NOT_IN_DOMAIN.test(text)) return null;
  const domain = domainToASCII(text).toLowerCase();
  const labels = domain.split('.');
  const top = labels.at(-1) as string;
  return labels.length >= 2 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(top) ? domain : null;
}
