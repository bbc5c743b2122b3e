import { parseDocument } from 'yaml';

// The real catalog uses none. Nested aliases grow exponentially.
const MAX_ALIASES = 50;
// `uniqueKeys` compares all pairs of keys, which takes minutes for a hostile document with a million keys.
const OPTIONS = { uniqueKeys: false, merge: false, schema: 'core', logLevel: 'silent', prettyErrors: false } as const;

/** Parses YAML into plain data. Throws on syntax errors and on documents that expand to many times their size. */
export function parseYaml(text: string): unknown {
  const document = parseDocument(text, OPTIONS);
  if (document.errors[0] !== undefined) throw document.errors[0];
  return document.toJS({ maxAliasCount: MAX_ALIASES });
}
