/**
 * Redacts secrets in free text. Time grows only with the length: after a failed match, no pattern reads the same
 * characters more than a fixed number of times.
 */

export const MASK = '[redacted]';

const SECRET_WORD =
  'pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret|credential|authorization|cookie|signature';

/**
 * A signed token. A run of its characters without a payload is consumed unredacted (without `token`): any later `eyJ`
 * in the same run would fail too, and trying each is quadratic.
 */
const SIGNED_TOKEN = /\beyJ[A-Za-z0-9_-]{8,}(?<token>\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?|)/g;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, MASK],
  [/\b(Bearer|Basic|Token)\s+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${MASK}`],
];

const LATER_PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Keys with well-known prefixes.
  [/\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\b(?:gh[opsur]|cap)_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}/g, MASK],
  [
    /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\bglpat-[\w-]{16,}|\bnpm_[A-Za-z0-9]{30,}/g,
    MASK,
  ],
  // user:password@ in a URL.
  [/(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,256}:)[^\s/@]{1,256}@/gi, `$1${MASK}@`],
  // Headers whose whole value is secret, quoted in text.
  [/\b((?:proxy-)?authorization|(?:set-)?cookie)(\s{0,8}:\s{0,8})(?!["'\s\\[])[^\r\n"']{1,4096}/gi, `$1$2${MASK}`],
  // name=value, name: value and "name": "value".
  [
    new RegExp(
      `((?:${SECRET_WORD})\\\\?["']?\\s{0,8}[=:]\\s{0,8})(?!\\[redacted\\])(?:\\\\?"[^"\\\\]*(?:\\\\[^"][^"\\\\]*)*\\\\?"|'[^']*'|[^\\s"',;&}\\])]+)`,
      'gi',
    ),
    `$1${MASK}`,
  ],
];

export function redactSecrets(text: string): string {
  let clean = text;
  for (const [pattern, mask] of PATTERNS) clean = clean.replace(pattern, mask);
  clean = clean.replace(SIGNED_TOKEN, (match, token: string) => (token === '' ? match : MASK));
  for (const [pattern, mask] of LATER_PATTERNS) clean = clean.replace(pattern, mask);
  return clean;
}

const SECRET_NAME = new RegExp(`(?:^|[._-])(?:${SECRET_WORD})$`, 'i');

/** Returns whether a field with this name contains a secret, such as `client.secret` or `x-api-key`. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);
