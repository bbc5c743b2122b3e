import type { ItemDetail } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { listingPath } from './listings.ts';
import { cut } from './words.ts';

/** References to what can run: `skill/json-diff`, `listing/smithery/forecasts`, `connection/<id>/<tool>`, `rig/<id>`. */

const KINDS = ['skill', 'listing', 'connection', 'rig', 'harness', 'capability'] as const;
type Kind = (typeof KINDS)[number];

export interface Ref {
  kind: Kind;
  ref: string;
}

/** Without a kind, the form of the name decides: any name from a list, search or page. Null if invalid. */
export function readRef(text: string): Ref | null {
  const [first = '', ...rest] = text.split('/');
  const kind = KINDS.find((kind) => kind === first);
  if (kind !== undefined && rest.length > 0) return rest.join('/') === '' ? null : { kind, ref: rest.join('/') };
  const more = rest.join('/');
  if (text === '' || (rest.length > 0 && (first === '' || more === ''))) return null;
  if (rest.length === 0) return { kind: isId(text) ? 'capability' : 'skill', ref: text };
  if (first === 'capstan' && isId(more)) return { kind: 'capability', ref: more };
  if (isId(first)) return { kind: 'connection', ref: text };
  return { kind: isProvider(first) ? 'listing' : 'capability', ref: text };
}

/** As listings, connections, rigs and harnesses have them. */
export const isId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** As object keys, because a provider of the contract that is missing here is then a type error. */
const PROVIDERS = {
  'mcp-registry': true,
  smithery: true,
  glama: true,
  docker: true,
  clawhub: true,
  'skills-sh': true,
  'claude-plugins': true,
  'gemini-extensions': true,
} satisfies Record<ItemDetail['provider_id'], true>;

export const isProvider = (text: string): boolean => Object.hasOwn(PROVIDERS, text);

export const tryPath = ({ kind, ref }: Ref, more: Record<string, string> = {}): string =>
  `/runs/new?${new URLSearchParams({ ref: `${kind}/${ref}`, ...more })}`;

/** Its page; null if it has none. */
export function pagePath({ kind, ref }: Ref): string | null {
  const [first = '', ...rest] = ref.split('/');
  if (kind === 'skill') return `/skills/${encodeURIComponent(ref)}`;
  if (kind === 'listing') return listingPath(first, rest.join('/'));
  if (kind === 'harness') return `/dashboard/harnesses/${encodeURIComponent(ref)}`;
  if (kind === 'rig') return `/dashboard/rigs/${encodeURIComponent(ref)}`;
  if (kind === 'capability') return isId(ref) ? `/marketplace/${ref}` : null;
  return rest.length === 0
    ? null
    : `/dashboard/connections/${encodeURIComponent(first)}/tools/${encodeURIComponent(rest.join('/'))}`;
}

/** A link to its page, if it has one. An id says nothing to people, so it gives way to the name, or to nothing but the kind. */
export function refLink({ kind, ref, name }: Ref & { name?: string }): Html {
  const path = pagePath({ kind, ref });
  const [word, shown] = wordsOf({ kind, ref });
  const called = isId(shown) ? (name ?? '') : shown;
  const words = html`${word}${called !== '' && html` <bdi>${cut(called, 120)}</bdi>`}`;
  return path === null ? words : html`<a href="${path}">${words}</a>`;
}

/** A connection is named by the tool that is called. What was published is called a listing, as on its page. */
function wordsOf({ kind, ref }: Ref): [word: string, shown: string] {
  if (kind === 'capability') return ['listing', ref];
  return kind === 'connection' ? ['tool', ref.split('/').slice(1).join('/')] : [kind, ref];
}
