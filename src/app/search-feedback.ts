import { fold } from '#catalog/changes/fold.ts';
import type { SearchFeedback } from '#catalog/search/feedback/feedback.ts';
import type { CountedSearch } from '#catalog/search/feedback/recent-searches.ts';
import type { ChoiceKind } from '#catalog/search/feedback/store.ts';
import { type Filters, NO_FILTERS } from '#catalog/search/query/filter.ts';
import type { Bound } from '#core/http/bind.ts';
import type { Input } from '#core/http/operation.ts';
import type { Offer } from '#core/tools/offer.ts';
import type { Tool } from '#core/tools/tool.ts';

/** Tells search feedback what was searched for and chosen, whichever operation or tool it was. Failed requests are not counted. */

type Values = Record<string, unknown>;
type Parts = Pick<Input, 'params' | 'query' | 'body'>;

/** The search of a request; null if it has none. */
const SEARCHES: Record<string, (request: Parts) => CountedSearch | null> = {
  'marketplace.listings.search': ({ body }) => searchOf(body as Values, (body as Values).filters as Values | undefined),
};

/** What a request does with a capability, named in any way; null if it names none. */
const CHOICES: Record<string, (request: Parts) => Choice | null> = {
  'marketplace.listings.get': ({ params }) => choice('opened', (params as Values).id),
  'marketplace.listings.getMd': ({ params }) => choice('opened', (params as Values).id),
  'catalog.items.get': ({ params }) => choice('opened', placeIn(params)),
  'catalog.items.getMd': ({ params }) => choice('opened', placeIn(params)),
  'runtime.skills.get': ({ params }) => choice('opened', (params as Values).name),
  'runtime.skills.getMd': ({ params }) => choice('opened', (params as Values).name),
  'surfaces.agentSkills.getArchive': ({ params }) => choice('installed', (params as Values).name),
  'connections.connections.create': ({ body }) => choice('installed', (body as Values).ref),
  'runtime.tasks.create': ({ body }) => choice('run', refIn(body)),
  'runtime.trials.create': ({ body }) => choice('run', refIn(body)),
};

const TOOL_SEARCHES: Record<string, (input: Values) => CountedSearch | null> = {
  marketplace_search: (input) => searchOf(input, input),
  registry_search: (input) => searchOf(input, input),
};

const TOOL_CHOICES: Record<string, (input: Values) => Choice | null> = {
  registry_get_listing: (input) => choice('opened', input.ref ?? placeIn(input)),
  registry_get_skill: (input) => choice('opened', input.ref ?? input.name ?? placeIn(input)),
  task_create: (input) => choice('run', refIn(input)),
  task_run: (input) => choice('run', input.ref),
  trial_run: (input) => choice('run', refIn(input)),
};

/** For a test. */
export const OBSERVED = {
  operations: [SEARCHES, CHOICES].flatMap(Object.keys),
  tools: [TOOL_SEARCHES, TOOL_CHOICES].flatMap(Object.keys),
};

interface Choice {
  kind: ChoiceKind;
  ref: string;
}

const choice = (kind: ChoiceKind, ref: unknown): Choice | null => (typeof ref === 'string' ? { kind, ref } : null);

function placeIn(values: unknown): string {
  const { provider = '', id, external_id = id } = values as Values;
  return `${provider}/${external_id}`;
}

const refIn = (values: unknown): unknown => ((values as Values).capability as Values | undefined)?.ref;

function searchOf({ query, copies_of }: Values, given: Values = {}): CountedSearch | null {
  // Opening the copies of a result is no new search.
  if (typeof query !== 'string' || copies_of !== undefined) return null;
  const named = Object.keys(NO_FILTERS) as (keyof Filters)[];
  const { provider, tag, ...filters } = Object.fromEntries(named.map((name) => [name, given[name] ?? null]));
  return {
    text: query,
    filters: {
      ...(filters as unknown as Filters),
      provider: typeof provider === 'string' ? [provider] : null,
      tag: typeof tag === 'string' ? fold(tag.toWellFormed()) : null,
    },
  };
}

/** The same operations, observed. */
export const withFeedback = (operations: readonly Bound[], feedback: SearchFeedback): Bound[] =>
  operations.map(({ operation, handler }) => {
    const [search, chosen] = [SEARCHES[operation.id], CHOICES[operation.id]];
    if (search === undefined && chosen === undefined) return { operation, handler };
    return {
      operation,
      handler: async (input) => {
        const reply = await handler(input);
        const { caller, address } = input;
        if ((reply.status ?? 200) < 300)
          note(feedback, { caller, address }, search?.(input), asInstalled(chosen?.(input), input.headers));
        return reply;
      },
    };
  });

/** The command line reads the listing that it installs. */
const asInstalled = (chosen: Choice | null = null, headers: Input['headers']): Choice | null =>
  chosen !== null && /^capstan-cli\/\S+ \(install\)$/.test(`${headers['user-agent'] ?? ''}`)
    ? { ...chosen, kind: 'installed' }
    : chosen;

/** The same offer, observed. */
export const offerWithFeedback = (offer: Offer, feedback: SearchFeedback): Offer => ({
  ...offer,
  tools: toolsWithFeedback(offer.tools, feedback),
});

const toolsWithFeedback = (tools: readonly Tool[], feedback: SearchFeedback): Tool[] =>
  tools.map((tool) => {
    const [search, chosen] = [TOOL_SEARCHES[tool.name], TOOL_CHOICES[tool.name]];
    if (search === undefined && chosen === undefined) return tool;
    return {
      ...tool,
      run: async (input, call) => {
        const answer = await tool.run(input, call);
        const { caller, share } = call;
        note(feedback, { caller, address: share.address }, search?.(input), chosen?.(input));
        return answer;
      },
    };
  });

function note(
  feedback: SearchFeedback,
  { caller, address }: { caller: { user_id: string } | null; address: string | null },
  search: CountedSearch | null = null,
  chosen: Choice | null = null,
): void {
  const voice = { user_id: caller?.user_id ?? null, address };
  if (search !== null) feedback.searched(voice, search);
  if (chosen !== null) feedback.chose(voice, chosen.ref, chosen.kind);
}
