import { isSecretName, MASK, redactSecrets } from '#core/text/redact.ts';
import type { SpanValue } from './span.ts';

/** Redacts secrets in spans and truncates long texts. Pure; time grows only with the length. */

const MAX_TEXT = 8_192;
/** Limits the input of the patterns, because only MAX_TEXT is kept. */
const MAX_READ = 4 * MAX_TEXT;
const MAX_LIST = 128;

export function redactText(text: string): string {
  const clean = redactSecrets(text.slice(0, MAX_READ));
  const short = text.length <= MAX_TEXT && clean.length <= MAX_TEXT;
  const length = text.length < MAX_READ ? `${text.length} characters` : `${MAX_READ} characters or more`;
  const kept = short ? clean : `${clean.slice(0, MAX_TEXT)}… (cut, ${length})`;
  // A lone surrogate has no UTF-8 encoding and no place in canonical JSON.
  return kept.toWellFormed();
}

/** Truncates an attribute to what will be read of it. A copy, so that the rest can be freed. */
export const forSpan = (text: string): string =>
  text.length <= MAX_READ ? text : Buffer.from(text.slice(0, MAX_READ), 'utf16le').toString('utf16le');

/** Redacts the whole value of an attribute with a secret name; numbers are counts, not secrets. */
export function redactAttributes(attributes: Record<string, unknown>): Record<string, SpanValue> {
  const clean: Record<string, SpanValue> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null) continue;
    clean[name] = typeof value !== 'number' && isSecretName(name) ? MASK : redactValue(value);
  }
  return clean;
}

function redactValue(value: unknown): SpanValue {
  if (Array.isArray(value)) return value.slice(0, MAX_LIST).map((item) => redactScalar(item));
  return redactScalar(value) ?? '';
}

function redactScalar(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
  return redactText(String(value));
}
