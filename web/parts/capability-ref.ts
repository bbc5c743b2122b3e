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

/** A link to its page, if it has one. A connection is named by the tool that is called, because its id says nothing. */
export function refLink({ kind, ref }: Ref): Html {
  const name = html`<bdi>${cut(ref, 120)}</bdi>`;
  const [provider = '', ...id] = ref.split('/');
  if (kind === 'skill') return html`<a href="/skills/${encodeURIComponent(ref)}">skill ${name}</a>`;
  if (kind === 'listing') return html`<a href="${listingPath(provider, id.join('/'))}">listing ${name}</a>`;
  if (kind === 'connection' && id.length > 0)
    return html`<a href="/dashboard/connections/${encodeURIComponent(provider)}/tools/${encodeURIComponent(id.join('/'))}">tool <bdi>${cut(id.join('/'), 120)}</bdi></a>`;
  if (kind === 'harness') return html`<a href="/dashboard/harnesses/${encodeURIComponent(ref)}">harness ${name}</a>`;
  return html`${kind} ${name}`;
}
