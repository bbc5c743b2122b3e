import type { Owned } from '#connections/connections/connections.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import type { RequestFrom } from '#connections/connections/traced-request.ts';
import { connectionsProblem } from '#connections/errors.ts';
import { readPrompt, seenPrompts } from '#connections/prompts/seen-prompts.ts';
import { readResource, seenResources } from '#connections/resources/seen-resources.ts';
import { Problem } from '#core/problem/problem.ts';
import { quoted } from '#core/tools/words.ts';
import type { Choice, Endpoint } from './endpoints.ts';
import { inTime } from './in-time.ts';
import { listedName, prefixOf } from './tool-names.ts';

/**
 * Resources and prompts of an endpoint: those of connections with all of their tools. A connection with chosen tools offers
 * these alone.
 */

/** Before the URI of a resource: `mine://<prefix>/` and the URI as its server gives it. */
const SCHEME = 'mine://';
const MOST_ITEMS = 1_000;

interface Content<T> {
  items: T[];
  /** Connections that did not answer in time, or failed. */
  unavailable: { connection: string; code: string; detail: string }[];
}

export async function offeredPrompts(deps: ConnectionsDeps, endpoint: Endpoint, from: RequestFrom) {
  return gather(endpoint, async (of, prefix) => {
    const { items } = await seenPrompts(deps, of, from);
    return items.map((prompt) => ({ ...prompt, name: listedName(prefix, prompt.name) }));
  });
}

export async function offeredResources(deps: ConnectionsDeps, endpoint: Endpoint, from: RequestFrom) {
  return gather(endpoint, async (of, prefix) => {
    const { items } = await seenResources(deps, of, from);
    return items.map((resource) => ({ ...resource, uri: `${SCHEME}${prefix}/${resource.uri}` }));
  });
}

export async function offeredTemplates(deps: ConnectionsDeps, endpoint: Endpoint, from: RequestFrom) {
  return gather(endpoint, async (of, prefix) => {
    const { templates } = await seenResources(deps, of, from);
    return templates.map((template) => ({ ...template, uri_template: `${SCHEME}${prefix}/${template.uri_template}` }));
  });
}

/** Throws `connections.not_found` (`prompt`) for a name that is not listed, and what the server does. */
export async function offeredPrompt(
  deps: ConnectionsDeps,
  endpoint: Endpoint,
  wanted: { name: string; arguments: Record<string, string> },
  from: RequestFrom,
) {
  const choice = choiceOf(endpoint, prefixOf(wanted.name));
  const unknown = notOffered('prompt', wanted.name);
  if (choice === undefined) throw unknown;
  const of = { user_id: endpoint.user_id, id: choice.connection_id };
  const { items } = await seenPrompts(deps, of, from);
  const found = items.find(({ name }) => listedName(choice.prefix, name) === wanted.name);
  if (found === undefined) throw unknown;
  return (await readPrompt(deps, of, { prompt: found.name, arguments: wanted.arguments }, from)).answer;
}

/** Throws `connections.not_found` (`resource`) for a URI of no connection, and what the server does. */
export async function offeredResource(deps: ConnectionsDeps, endpoint: Endpoint, uri: string, from: RequestFrom) {
  const [, prefix = '', theirs = ''] = /^mine:\/\/([a-z0-9-]+)\/(.+)$/s.exec(uri) ?? [];
  const choice = choiceOf(endpoint, prefix);
  if (choice === undefined) throw notOffered('resource', uri);
  const of = { user_id: endpoint.user_id, id: choice.connection_id };
  const { contents } = (await readResource(deps, of, theirs, from)).answer;
  return contents.map((content) => ({ ...content, uri: `${SCHEME}${prefix}/${content.uri}` }));
}

const offers = ({ tools }: Choice): boolean => tools === null;

const choiceOf = ({ choices }: Endpoint, prefix: string | null): Choice | undefined =>
  choices.find((choice) => choice.prefix === prefix && offers(choice));

async function gather<T>(
  { user_id, choices }: Endpoint,
  list: (of: Owned, prefix: string) => Promise<T[]>,
): Promise<Content<T>> {
  const unavailable: Content<T>['unavailable'] = [];
  const parts = await Promise.all(
    choices.filter(offers).map(async ({ connection_id, prefix }) => {
      const asked = list({ user_id, id: connection_id }, prefix);
      try {
        const items = await inTime(asked);
        if (items === null) throw slow();
        return items;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        unavailable.push({ connection: prefix, code: error.code, detail: error.message });
        return [];
      }
    }),
  );
  // Servers may list many long items, so each of those that are kept is written once.
  const kept = parts.flat().slice(0, MOST_ITEMS);
  const keyed = kept.map((item) => ({ item, key: JSON.stringify(item) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { items: keyed.map(({ item }) => item), unavailable };
}

const slow = (): Problem => connectionsProblem('connections.timeout', 'The server did not answer in time.');

const notOffered = (reason: 'prompt' | 'resource', name: string): Problem =>
  connectionsProblem('connections.not_found', `This endpoint does not offer the ${reason} ${quoted(name, 200)}.`, {
    reason,
  });
