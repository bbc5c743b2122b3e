import type { Setting, SettingTree } from '#core/config/config.ts';
import { MASK, redactSecrets } from '#core/text/redact.ts';

/** Findings may quote a server, a file or a table, so secrets and terminal control characters are removed. */

const MAX_CHARS = 600;
/** Shorter secrets would redact ordinary words. */
const SHORTEST = 6;

/** `values` belong to `tree`. Each secret is removed wherever it occurs in a text. */
export function cleanerOf(tree: SettingTree, values: object): (text: string) => string {
  const secrets = [...new Set(secretsIn(tree, values).flatMap(formsOf))]
    .filter((forms) => forms.length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const secret of secrets) clean = clean.replaceAll(secret, MASK);
    const line = redactSecrets(clean)
      .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
      .trim();
    return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line;
  };
}

function secretsIn(tree: SettingTree, values: object): string[] {
  return Object.entries(tree).flatMap(([key, entry]) => {
    const value: unknown = (values as Record<string, unknown>)[key];
    if (typeof entry.parse !== 'function') return secretsIn(entry as SettingTree, Object(value));
    return (entry as Setting<unknown>).secret ? textsIn(value) : [];
  });
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

/** The secret itself, each item of a list, and the password of a URL in every encoding. */
function formsOf(secret: string): string[] {
  const password = URL.parse(secret)?.password ?? '';
  return [secret, ...secret.split(',').map((part) => part.trim()), password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
