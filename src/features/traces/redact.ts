import type { SpanValue } from './span.ts';

/** What leaves a process in a span: secrets blotted out, long texts cut. Pure; time grows with the length only. */

const MASK = '[redacted]';
const MAX_TEXT = 8_192;
/** Read no further: patterns cost time, and no more than MAX_TEXT is kept. */
const MAX_READ = 4 * MAX_TEXT;
const MAX_LIST = 128;

const SECRET_WORD =
  'pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret|credential|authorization|cookie|signature';
const SECRET_NAME = new RegExp(`(?:^|[._-])(?:${SECRET_WORD})$`, 'i');

const PATTERNS: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, MASK],
  [/\b(Bearer|Basic|Token)\s+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${MASK}`],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g, MASK],
  // Keys that issuers mark by a prefix.
  [/\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\b(?:gh[opsur]|cap)_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}/g, MASK],
  [
    /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\bglpat-[\w-]{16,}|\bnpm_[A-Za-z0-9]{30,}/g,
    MASK,
  ],
  // user:password@ in an address.
  [/(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,256}:)[^\s/@]{1,256}@/gi, `$1${MASK}@`],
  // name=value, name: value and "name": "value".
  [
    new RegExp(
      `((?:${SECRET_WORD})\\\\?["']?\\s{0,8}[=:]\\s{0,8})(?:\\\\?"(?:[^"\\\\]|\\\\[^"])*\\\\?"|'[^']*'|[^\\s"',;&}\\])]+)`,
      'gi',
    ),
    `$1${MASK}`,
  ],
];

export function redactText(text: string): string {
  let clean = text.slice(0, MAX_READ);
  for (const [pattern, mask] of PATTERNS) clean = clean.replace(pattern, mask);
  if (text.length <= MAX_TEXT && clean.length <= MAX_TEXT) return clean;
  return `${clean.slice(0, MAX_TEXT)}… (cut, ${text.length} characters)`;
}

/** An attribute whose name says that it is a secret loses its value whole; numbers are counts, not secrets. */
export function redactAttributes(attributes: Record<string, unknown>): Record<string, SpanValue> {
  const clean: Record<string, SpanValue> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null) continue;
    clean[name] = typeof value !== 'number' && SECRET_NAME.test(name) ? MASK : redactValue(value);
  }
  return clean;
}

function redactValue(value: unknown): SpanValue {
  if (Array.isArray(value)) return value.slice(0, MAX_LIST).map((item) => redactScalar(item));
  return redactScalar(value) ?? '';
}

const redactScalar = (value: unknown): string | number | boolean | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return redactText(String(value));
};
