import { PROVIDERS } from '#catalog/items/kinds.ts';
import { builtInName, OWN_SOURCE } from '#catalog/items/own-listings.ts';

/** The forms of name that lists, searches and pages print. What a form leads to is looked up elsewhere. */
export type Name =
  /** The id of a marketplace listing, or of something that belongs to the caller. */
  | { form: 'id'; id: string }
  /** `id/more`: a tool of a connection. */
  | { form: 'tool'; id: string; tool: string }
  /** `skill/name`, a first-party skill. */
  | { form: 'skill'; name: string }
  /** `provider/external_id`. */
  | { form: 'listing'; provider: string; external_id: string }
  /** `publisher/name`. */
  | { form: 'published'; publisher: string; name: string }
  /** One word, such as the name of a skill or of a rig of the caller. */
  | { form: 'word'; word: string };

export const MOST_NAME_CHARS = 1_000;

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Null for text that cannot be a name: empty, too long, or with an empty part. Linear in the text. */
export function readName(text: string): Name | null {
  if (text === '' || text.length > MOST_NAME_CHARS) return null;
  if (ID.test(text)) return { form: 'id', id: text };
  const slash = text.indexOf('/');
  if (slash < 0) return { form: 'word', word: text };
  const [first, rest] = [text.slice(0, slash), text.slice(slash + 1)];
  if (first === '' || rest === '') return null;
  const builtIn = builtInName(text);
  if (builtIn !== null) return { form: 'skill', name: builtIn };
  // No publisher has the name of a provider, or one that looks like it.
  if ((PROVIDERS as readonly string[]).includes(first)) return { form: 'listing', provider: first, external_id: rest };
  if (first === OWN_SOURCE && ID.test(rest)) return { form: 'id', id: rest };
  if (ID.test(first)) return { form: 'tool', id: first, tool: rest };
  return { form: 'published', publisher: first, name: rest };
}
