import { redactSecrets } from '#core/text/redact.ts';
import { tokenize } from '../text/tokenize.ts';

const MOST_CHARS = 200;

/**
 * The text under which searches are counted together: its words, folded. Null for a text that is long, has no words, or may name or
 * authenticate a person: with a secret, an email address or a long number.
 */
export function countedQuery(text: string): string | null {
  if (text.length > MOST_CHARS || redactSecrets(text) !== text || PERSONAL.test(text)) return null;
  const words = tokenize(text);
  if (words.length === 0 || words.some((word) => word.length >= LONG)) return null;
  return words.join(' ');
}

/** An email address or a handle, or digits as of telephone numbers and accounts. */
const PERSONAL = /[^\s@]@[^\s@]|(?:\d[ ().+-]{0,2}){7}/;

/** Words of this length are keys and identifiers. */
const LONG = 32;
