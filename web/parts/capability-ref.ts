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

/** Without a kind, a plain name is a skill and a name with a slash is a listing. Null if invalid. */
export function readRef(text: string): Ref | null {
  const [first = '', ...rest] = text.split('/');
  const kind = KINDS.find((kind) => kind === first);
  if (kind !== undefined && rest.length > 0) return rest.join('/') === '' ? null : { kind, ref: rest.join('/') };
  return text === '' ? null : { kind: rest.length === 0 ? 'skill' : 'listing', ref: text };
}

export const tryPath = ({ kind, ref }: Ref, more: Record<string, string> = {}): string =>
  `/runs/new?${new URLSearchParams({ ref: `${kind}/${ref}`, ...more })}`;

/** A link to its page, if it has one. */
export function refLink({ kind, ref }: Ref): Html {
  const name = html`<bdi>${cut(ref, 120)}</bdi>`;
  const [provider = '', ...id] = ref.split('/');
  if (kind === 'skill') return html`<a href="/skills/${encodeURIComponent(ref)}">skill ${name}</a>`;
  if (kind === 'listing') return html`<a href="${listingPath(provider, id.join('/'))}">listing ${name}</a>`;
  if (kind === 'harness') return html`<a href="/dashboard/harnesses/${encodeURIComponent(ref)}">harness ${name}</a>`;
  return html`${kind} ${name}`;
}
