import { parseDocument } from 'yaml';

// The true catalogue uses none. Each alias can multiply what the ones before it stand for.
const MAX_ALIASES = 50;
// `uniqueKeys` compares every key with every other: minutes for a hostile document of a million keys.
const OPTIONS = { uniqueKeys: false, merge: false, schema: 'core', logLevel: 'silent', prettyErrors: false } as const;

/** YAML as plain data. Throws on errors of syntax and on documents that unfold to many times their size. */
export const parseYaml = (text: string): unknown => {
  const document = parseDocument(text, OPTIONS);
  if (document.errors[0] !== undefined) throw document.errors[0];
  return document.toJS({ maxAliasCount: MAX_ALIASES });
};
