import type { Input } from '../../sdk/src/index.ts';
import { usage } from './failure.ts';

/** What a reference on the command line stands for. */

type ProviderId = Input<'catalog.items.get'>['provider'];

type Ref = ListedRef | ToolOf;
export type ListedRef = Listed | Owned;
type Listed = { kind: 'listing'; provider: ProviderId; id: string };
/** A skill by its name, or a marketplace listing by its id or `publisher/name`. */
export type Owned = { kind: 'capability' | 'skill'; ref: string };

/** `connection id/tool`. */
type ToolOf = { kind: 'connection'; ref: string };

/** As object keys, because a provider of the contract that is missing here is then a type error. */
export const PROVIDERS = Object.keys({
  'mcp-registry': true,
  smithery: true,
  glama: true,
  docker: true,
  clawhub: true,
  'skills-sh': true,
  'claude-plugins': true,
  'gemini-extensions': true,
} satisfies Record<ProviderId, true>) as ProviderId[];

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const NAME = /^[a-z0-9][a-z0-9-]*$/;

/** `provider/id` of a provider, a marketplace id, `publisher/name`, or the name of a first-party skill. */
export function refOf(text: string): Ref {
  if (UUID.test(text)) return { kind: 'capability', ref: text };
  const slash = text.indexOf('/');
  // Lists and sources print what is published at the service as `capstan/<id>`.
  if (slash > 0 && text.slice(0, slash) === 'capstan' && UUID.test(text.slice(slash + 1)))
    return { kind: 'capability', ref: text.slice(slash + 1) };
  if (slash > 0 && UUID.test(text.slice(0, slash)) && text.length > slash + 1) return { kind: 'connection', ref: text };
  const provider = PROVIDERS.find((provider) => provider === text.slice(0, Math.max(0, slash)));
  if (provider !== undefined && text.length > slash + 1)
    return { kind: 'listing', provider, id: text.slice(slash + 1) };
  if (NAME.test(text)) return { kind: 'skill', ref: text };
  const [first = '', name = '', ...more] = text.split('/');
  if (first === 'skill' && NAME.test(name) && more.length === 0) return { kind: 'skill', ref: name };
  if (NAME.test(first) && NAME.test(name) && more.length === 0) return { kind: 'capability', ref: text };
  throw usage(
    `Invalid reference: ${text}.`,
    `Use <provider>/<id> (${PROVIDERS.join(', ')}), an id from a list or search, <publisher>/<name>, or a ` +
      'skill name.',
  );
}

/** The same for what has a listing: `refOf` without tools of connections. */
export function listedRefOf(text: string): ListedRef {
  const ref = refOf(text);
  if (ref.kind !== 'connection') return ref;
  throw usage(`${text} is a tool of a connection, which has no listing.`, `Call it: capstan run ${text} --input …`);
}

/** The argument of every command that takes one. */
export const REF = { ref: 'any name from a list, search or page: provider/id, an id, publisher/name, or a skill name' };
