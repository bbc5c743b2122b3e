import type { Input } from '../../sdk/src/index.ts';
import { usage } from './failure.ts';

/** What a reference on the command line stands for. */

export type ProviderId = Input<'registry.getItem'>['provider'];

export type Ref =
  | { kind: 'listing'; provider: ProviderId; id: string }
  | { kind: 'capability'; id: string }
  | { kind: 'skill'; name: string };

const PROVIDERS: readonly ProviderId[] = [
  ...(['mcp-registry', 'smithery', 'glama', 'docker', 'clawhub', 'skills-sh'] as const),
  ...(['claude-plugins', 'gemini-extensions'] as const),
];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `provider/id of the provider`, an id of the marketplace, or the name of a skill of the service. */
export function refOf(text: string): Ref {
  if (UUID.test(text)) return { kind: 'capability', id: text };
  const slash = text.indexOf('/');
  const provider = PROVIDERS.find((it) => it === text.slice(0, Math.max(0, slash)));
  if (provider !== undefined && text.length > slash + 1)
    return { kind: 'listing', provider, id: text.slice(slash + 1) };
  if (/^[a-z0-9][a-z0-9-]*$/.test(text)) return { kind: 'skill', name: text };
  throw usage(
    `${text} is no reference.`,
    `It is <provider>/<id> (${PROVIDERS.join(', ')}), an id as search shows it, or the name of a skill.`,
  );
}

/** As a task names it. */
export const capabilityOf = (ref: Ref, version?: string) => {
  const pinned = version === undefined ? {} : { version };
  if (ref.kind === 'listing') return { kind: ref.kind, ref: `${ref.provider}/${ref.id}`, ...pinned };
  return { kind: ref.kind, ref: ref.kind === 'skill' ? ref.name : ref.id, ...pinned };
};
