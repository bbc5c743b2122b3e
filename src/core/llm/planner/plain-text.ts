import { type Json, objectOf } from './history.ts';
import { readValues } from './values.ts';

/**
 * Takes the multi-line text after `with` as one argument: `with csv: a,b …`, or `with a,b …` if only one text is
 * required.
 */

const WITH = /^\s*with\s/i;
const NAMED = /^\s*([A-Za-z_][\w.-]{0,63}):\s+/;

/** Returns the member and its text; null if the message marks its values differently or is ambiguous. */
export function plainText(schema: unknown, text: string): Json | null {
  if (!WITH.test(text)) return null;
  const said = text.replace(WITH, '').trim();
  const { properties, required } = objectOf(schema);
  const members = objectOf(properties);
  const isText = (name: string) => Object.hasOwn(members, name) && objectOf(members[name]).type === 'string';
  const [label, name] = NAMED.exec(said) ?? [];
  if (label !== undefined && name !== undefined && isText(name)) return { [name]: said.slice(label.length) };
  const [only, ...others] = Array.isArray(required) ? required : [];
  const { pairs, documents, quoted, urls, numbers, words } = readValues(said);
  const marked = Object.keys(pairs).length + documents.length + quoted.length + urls.length + numbers.length;
  return typeof only === 'string' && others.length === 0 && isText(only) && marked === 0 && words.length > 0
    ? { [only]: said }
    : null;
}
