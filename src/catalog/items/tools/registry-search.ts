import { nameParts } from '#catalog/changes/fold.ts';
import { installHint } from '#catalog/install/install-hint.ts';
import { runOf, type ToolSignature } from '#catalog/probes/tool-signatures.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import { Type } from '#core/json-schema/type.ts';
import { type RunTool, tool } from '#core/tools/tool.ts';
import { DATA_NOTE, Next, nextText, plain, quoted } from '#core/tools/words.ts';
import { type FindCarried, shownCarried } from '../carried-skills.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from '../kinds.ts';
import { type Field, matchedFields } from '../matched-fields.ts';
import { OWN_SOURCE, type OwnListings } from '../own-listings.ts';
import type { ListingKey } from '../read-items.ts';
import { type CombinedHit, type CombinedResult, searchBoth } from '../search-both.ts';
import { refuseWhileWarmingUp } from '../warming-up.ts';

/** Searches the index, published listings and built-in skills, all in memory. */

const text = Type.String();

/** The documented part of a hit; it has more fields. */
const Found = Type.Object({
  name: text,
  provider: text,
  external_id: text,
  why: text,
  install: text,
  tools: Type.Array(text, { description: 'Of a server that answered its last probe: the first ones, as signatures.' }),
  next: Next,
});

export interface RegistrySearchDeps {
  catalog: Pick<Catalog, 'isReady' | 'search'>;
  /** Published listings; if omitted, there are none. */
  own?: OwnListings | undefined;
  /** Built-in skills; if omitted, there are none. */
  carried?: FindCarried | undefined;
  /** The first tools of probed servers; if omitted, none are known. */
  signatures?: ((keys: readonly ListingKey[]) => Promise<ReadonlyMap<string, readonly ToolSignature[]>>) | undefined;
}

const NONE_KNOWN = async (): Promise<ReadonlyMap<string, readonly ToolSignature[]>> => new Map();

export const registrySearch = ({ catalog, own, carried = () => [], signatures = NONE_KNOWN }: RegistrySearchDeps) =>
  tool({
    name: 'registry_search',
    title: 'Search the registry',
    description:
      'Find skills, MCP servers, harnesses and rigs listed by eight registries or published here (`capstan`). Send a few ' +
      'keywords, most important first. Each hit has the reason for the match, install instructions and the exact next call. ' +
      'If nothing matches all words, the closest hits are returned with the unmatched words: drop or replace them.',
    scope: null,
    input: Type.Object(
      {
        query: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Keywords, a name or an id.' }),
        provider: Type.Optional(
          Type.Enum([...PROVIDERS, OWN_SOURCE], { description: 'Only listings of this source.' }),
        ),
        listing_type: Type.Optional(Type.Enum([...LISTING_TYPES], { description: 'Only listings of this type.' })),
        execution_class: Type.Optional(
          Type.Enum([...EXECUTION_CLASSES], {
            description: 'Only this class: run by a model, as a script, or by an MCP call.',
          }),
        ),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 5, description: 'Number of hits.' })),
        offset: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 10_000, default: 0, description: 'Number of hits to skip.' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      total_count: Type.Integer(),
      match: Type.Enum(['all', 'some', 'none']),
      unmatched_terms: Type.Array(text),
      carried_skills: Type.Array(Type.Object({ name: text, next: Next }), {
        description: 'Built-in skills that run at once; first page only.',
      }),
      items: Type.Array(Found),
      next_offset: Type.Union([Type.Integer(), Type.Null()]),
    }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { query: 'weather forecast', limit: 3 },
    run: async ({ query, provider, listing_type, execution_class, limit = 5, offset = 0 }, { run_tool }) => {
      refuseWhileWarmingUp(catalog);
      await own?.refreshed();
      const filters = { provider: provider ?? null, listing_type: listing_type ?? null };
      const found = searchBoth(
        { catalog, own },
        { text: query, ...filters, execution_class: execution_class ?? null, limit, offset },
      );
      const servers = found.hits.flatMap(({ item }) => serverKey(item));
      const tools = await signatures(servers);
      const items = found.hits.map((hit) =>
        shownHit(hit, found, run_tool, tools.get(`${hit.item.provider_id}/${hit.item.external_id}`)),
      );
      const end = offset + items.length;
      const isAsked = offset === 0 && provider === undefined && (listing_type ?? 'skill') === 'skill';
      const structured = {
        total_count: found.total_count,
        match: found.total_count === 0 ? 'none' : found.is_whole ? 'all' : 'some',
        unmatched_terms: found.unmatched,
        carried_skills: isAsked ? shownCarried(carried(found.terms), execution_class) : [],
        items,
        next_offset: items.length > 0 && end < found.total_count ? end : null,
      } as const;
      return { structured, text: textOf(structured, query) };
    },
  });

type Shown = ReturnType<typeof shownHit>;

/** Of a server that a provider lists. */
const serverKey = ({ provider_id, external_id, execution_class }: CombinedHit['item']): ListingKey[] =>
  execution_class === 'mcp' && provider_id !== OWN_SOURCE ? [{ provider_id, external_id }] : [];

function shownHit(
  { item, hint }: CombinedHit,
  { terms, is_whole }: CombinedResult,
  runTool: RunTool | null,
  tools: readonly ToolSignature[] = [],
) {
  const { provider_id: provider, external_id, listing_type } = item;
  const isOwn = item.provider_id === OWN_SOURCE;
  const next = listing_type === 'skill' && !isOwn ? 'registry_get_skill' : 'registry_get_listing';
  return {
    name: plain(item.name, 80),
    provider,
    external_id,
    listing_type,
    execution_class: item.execution_class,
    description: plain(item.description, 120),
    downloads: item.downloads,
    why: reasonOf(item, terms, is_whole),
    install: item.provider_id === OWN_SOURCE ? '' : installHint(item, hint),
    tools: tools.map(({ signature }) => signature),
    next: runOf(`${provider}/${external_id}`, tools, runTool) ?? { tool: next, arguments: { provider, external_id } },
  };
}

/** For instance `name: weather; description: forecast`. */
function reasonOf(item: CombinedHit['item'], terms: readonly string[], isWhole: boolean): string {
  const fields = matchedFields(item, terms);
  const named = nameParts(item.name);
  if (isWhole && named.length === terms.length && terms.every((term) => named.includes(term))) return 'exact name';
  const by = (field: Field | undefined): string => terms.filter((term) => fields.get(term) === field).join(', ');
  return (['name', 'description', 'author', 'id', undefined] as const)
    .map((field) => [field ?? 'missing', by(field)] as const)
    .filter(([, found]) => found !== '')
    .map(([field, found]) => `${field}: ${plain(found, 80)}`)
    .join('; ');
}

interface Page {
  total_count: number;
  match: 'all' | 'some' | 'none';
  unmatched_terms: string[];
  carried_skills: ReturnType<typeof shownCarried>;
  items: Shown[];
  next_offset: number | null;
}

function textOf(page: Page, query: string): string {
  const { total_count, match, unmatched_terms, carried_skills, items, next_offset } = page;
  const unmatched = unmatched_terms.map((unmatchedTerm) => quoted(unmatchedTerm, 40)).join(', ');
  const carried = carried_skills.map(
    (carriedSkill) =>
      `Built-in, runs at once: ${carriedSkill.name}: ${carriedSkill.description}\n   next: ${nextText(carriedSkill.next)}`,
  );
  if (match === 'none') {
    const none = `No listing matches ${quoted(query, 100)}. Try fewer or other words, or drop a filter.`;
    return [...carried, none].join('\n');
  }
  const head =
    match === 'all'
      ? `${total_count} match ${quoted(query, 100)}, best first.`
      : `No listing matches all words of ${quoted(query, 100)}${unmatched === '' ? '' : `; none has ${unmatched}`}. Closest:`;
  const more = next_offset === null ? [] : [`More: repeat with "offset": ${next_offset}.`];
  return [...carried, `${head} ${DATA_NOTE}`, ...items.map(hitText), ...more].join('\n');
}

const hitText = (item: Shown, at: number): string =>
  [
    `${at + 1}. ${quoted(item.name, 80)} ${item.listing_type}, ${item.execution_class}, ${item.provider}`,
    ...(item.downloads > 0 ? [`, ${item.downloads} downloads`] : []),
    ...(item.description === '' ? [] : [`: ${quoted(item.description, 120)}`]),
    `\n   ${item.why}`,
    ...(item.tools.length === 0 ? [] : [`\n   tools: ${item.tools.map((tool) => quoted(tool, 130)).join(', ')}`]),
    ...(item.install === '' ? [] : [` | ${item.install}`]),
    `\n   next: ${nextText(item.next)}`,
  ].join('');
