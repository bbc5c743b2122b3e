import { fold, words } from '#catalog/changes/fold.ts';
import type { CountUnlinked } from '#catalog/identity/progress.ts';
import { installHint } from '#catalog/install/install-hint.ts';
import { runOf, type ToolSignature } from '#catalog/probes/tool-signatures.ts';
import { nameKey } from '#catalog/search/index/field-weights.ts';
import type { ListingSearch } from '#catalog/search/listing-search.ts';
import { wordsFound } from '#catalog/search/query/found-words.ts';
import { toolFinder } from '#catalog/search/query/matching-tool.ts';
import type { FoundListings, ListingHit, SearchedViews } from '#catalog/search/query/ranked-listings.ts';
import type { Field } from '#catalog/search/ranking.ts';
import { Type } from '#core/json-schema/type.ts';
import { type RunTool, tool } from '#core/tools/tool.ts';
import { DATA_NOTE, Next, nextText, plain, quoted } from '#core/tools/words.ts';
import { MOST_CARRIED, shownCarried } from '../carried-skills.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from '../kinds.ts';
import { matchedFields } from '../matched-fields.ts';
import { OWN_SOURCE, SOURCES } from '../own-listings.ts';
import type { ListingKey } from '../read-items.ts';

/** Searches listings, of providers and published here, and built-in skills, all in memory. */

const text = Type.String();

/** The documented part of a hit; it has more fields. */
const FoundItem = Type.Object({
  name: text,
  provider: text,
  external_id: text,
  why: text,
  install: text,
  tool: Type.Union([text, Type.Null()], { description: 'The tool of a server that fits the query best.' }),
  copies: Type.Integer({
    minimum: 0,
    description: 'Further matches with the same text. marketplace_search lists them.',
  }),
  tools: Type.Array(text, { description: 'Of a server that answered its last probe: the first ones, as signatures.' }),
  next: Next,
});

export interface RegistrySearchDeps {
  search: Pick<ListingSearch, 'listings' | 'builtIn'>;
  /** Listings that are not linked to a capability yet; if omitted, there are none. */
  countUnlinked?: CountUnlinked | undefined;
  /** The first tools of probed servers; if omitted, none are known. */
  signatures?: ((keys: readonly ListingKey[]) => Promise<ReadonlyMap<string, readonly ToolSignature[]>>) | undefined;
}

const NONE_KNOWN = async (): Promise<ReadonlyMap<string, readonly ToolSignature[]>> => new Map();

export const registrySearch = ({ search, countUnlinked = () => 0, signatures = NONE_KNOWN }: RegistrySearchDeps) =>
  tool({
    name: 'registry_search',
    title: 'Search the registry',
    description:
      'Find skills, MCP servers, harnesses and rigs listed by eight registries or published here (`capstan`), best first. ' +
      'Send keywords, a sentence, a name or an id. Each hit has the reason for the match, install instructions and the exact ' +
      'next call. If nothing matches all words, the closest hits are returned with the unmatched words: drop or replace them.',
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
      unmatched_terms: Type.Array(text, { description: 'Words that nothing listed has.' }),
      corrected: Type.Array(Type.Object({ from: text, to: text }), {
        description: 'Misspelled words, and what was searched.',
      }),
      translated: Type.Array(Type.Object({ from: text, to: text }), {
        description: 'Words of another language, and what was searched.',
      }),
      carried_skills: Type.Array(Type.Object({ name: text, next: Next }), {
        description: 'Built-in skills that run at once; first page only.',
      }),
      items: Type.Array(FoundItem),
      not_linked: Type.Integer({ description: 'Listings that are not linked yet. They are found by their id.' }),
      next_offset: Type.Union([Type.Integer(), Type.Null()]),
    }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { query: 'weather forecast', limit: 3 },
    run: async ({ query, provider, listing_type, execution_class, limit = 5, offset = 0 }, { run_tool }) => {
      const text = query.toWellFormed();
      const found = await search.listings({
        text,
        sources: provider === undefined ? SOURCES : [provider],
        with_built_in: false,
        listing_type: listing_type ?? null,
        execution_class: execution_class ?? null,
        tag: null,
        limit,
        offset,
      });
      const servers = found.hits.flatMap(({ item }) => serverKey(item));
      const tools = await signatures(servers);
      const toolOf = toolFinder(found.market, text, found.aid);
      const items = found.hits.map((hit) =>
        shownHit(
          hit,
          { found, query: text, toolOf },
          run_tool,
          tools.get(`${hit.item.provider_id}/${hit.item.external_id}`),
        ),
      );
      const end = offset + items.length;
      const isAsked = offset === 0 && provider === undefined && (listing_type ?? 'skill') === 'skill';
      const structured = {
        total_count: found.total_count,
        match: found.match,
        unmatched_terms: found.match === 'all' ? [] : found.plan.unmatched,
        corrected: found.plan.corrected,
        translated: found.plan.translated,
        carried_skills: isAsked ? shownCarried(await search.builtIn(text, MOST_CARRIED), execution_class) : [],
        items,
        not_linked: await countUnlinked(),
        next_offset: items.length > 0 && end < found.total_count ? end : null,
      } as const;
      const notes = [
        ...(found.market.is_whole ? [] : ['The index is being built and results are incomplete. Retry in a moment.']),
        ...(structured.not_linked === 0
          ? []
          : [`${structured.not_linked} listings are still being linked. Retry in a moment.`]),
      ];
      return { structured, text: [...notes, textOf(structured, query)].join('\n') };
    },
  });

type Shown = ReturnType<typeof shownHit>;

/** Of a server that a provider lists. */
const serverKey = ({ provider_id, external_id, execution_class }: ListingHit['item']): ListingKey[] =>
  execution_class === 'mcp' && provider_id !== OWN_SOURCE ? [{ provider_id, external_id }] : [];

type Found = FoundListings & SearchedViews;

function shownHit(
  hit: ListingHit,
  { found, query, toolOf }: { found: Found; query: string; toolOf: ReturnType<typeof toolFinder> },
  runTool: RunTool | null,
  tools: readonly ToolSignature[] = [],
) {
  const { item, hint } = hit;
  const { provider_id: provider, external_id, listing_type } = item;
  const tool = hit.capability === null ? null : toolOf(hit.capability);
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
    why: reasonOf(hit, found, query),
    install: item.provider_id === OWN_SOURCE ? '' : installHint(item, hint),
    tool: tool === null ? null : plain(tool, 80),
    copies: hit.copies,
    tools: tools.map(({ signature }) => signature),
    next: runOf(`${provider}/${external_id}`, { tools, tool }, runTool) ?? {
      tool: next,
      arguments: { provider, external_id },
    },
  };
}

/** For instance `name: weather; description: forecast`. */
function reasonOf({ item, capability }: ListingHit, { market, plan }: Found, query: string): string {
  const key = nameKey(item.name);
  if (key !== '' && key === nameKey(query)) return 'exact name';
  const id = fold(query.trim());
  if ([item.external_id, `${item.provider_id}/${item.external_id}`].some((own) => fold(own) === id)) return 'exact id';
  const places = capability === null ? placesInText(item, query) : placesInIndex(market, plan, capability);
  if (capability !== null && places.length === 0) return 'similar meaning';
  const terms = capability === null ? words(query) : plan.groups.map(({ term }) => term);
  const missing = terms.filter((term) => !places.some((place) => place.term === term));
  return [...SHOWN_FIELDS, 'missing']
    .map((field) => {
      const found = places.filter((place) => place.field === field).map(({ shown }) => shown);
      return [field, field === 'missing' ? missing : found] as const;
    })
    .filter(([, found]) => found.length > 0)
    .map(([field, found]) => `${field}: ${plain(found.join(', '), 80)}`)
    .join('; ');
}

/** The fields of the index by the names that reasons give them, the most telling first. */
const FIELD_NAMES = {
  name: 'name',
  tags: 'tag',
  description: 'description',
  contents: 'contents',
  author: 'author',
  ids: 'id',
} as const satisfies Record<Field, string>;
const SHOWN_FIELDS = Object.values(FIELD_NAMES);

interface Place {
  term: string;
  field: string;
  shown: string;
}

const placesInIndex = (market: Found['market'], plan: Found['plan'], capability: number): Place[] =>
  wordsFound(market, plan, capability).map(({ term, found, fields }) => {
    const known = Object.entries(FIELD_NAMES).find(([field]) => (fields as string[]).includes(field));
    return { term, field: known?.[1] ?? 'description', shown: found === term ? term : `${term} as ${found}` };
  });

const placesInText = (item: ListingHit['item'], query: string): Place[] =>
  [...matchedFields(item, words(query))].map(([term, field]) => ({ term, field, shown: term }));

interface Page extends Pick<Found['plan'], 'corrected' | 'translated'> {
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
  const instead = [
    ...page.corrected.map(({ from, to }) => `${quoted(from, 40)} was corrected to ${quoted(to, 40)}.`),
    ...page.translated.map(({ from, to }) => `${quoted(from, 40)} was read as ${quoted(to, 40)}.`),
  ];
  const unknown = unmatched === '' ? [] : [`No listing has ${unmatched}.`];
  if (match === 'none') {
    const none = `No listing matches ${quoted(query, 100)}.`;
    const advice = 'Try fewer or other words, or drop a filter.';
    return [...carried, [none, ...instead, ...unknown, advice].join(' ')].join('\n');
  }
  const head =
    match === 'all'
      ? `${total_count} match ${quoted(query, 100)}, best first.`
      : `${total_count} match some words of ${quoted(query, 100)}, closest first.`;
  const more = next_offset === null ? [] : [`More: repeat with "offset": ${next_offset}.`];
  return [...carried, [head, ...instead, ...unknown, DATA_NOTE].join(' '), ...items.map(hitText), ...more].join('\n');
}

const hitText = (item: Shown, at: number): string =>
  [
    `${at + 1}. ${quoted(item.name, 80)} ${item.listing_type}, ${item.execution_class}, ${item.provider}`,
    ...(item.downloads > 0 ? [`, ${item.downloads} downloads`] : []),
    ...(item.description === '' ? [] : [`: ${quoted(item.description, 120)}`]),
    `\n   ${item.why}`,
    ...(item.tool === null ? [] : [`\n   fits best: its tool ${quoted(item.tool, 80)}`]),
    ...(item.tools.length === 0 ? [] : [`\n   tools: ${item.tools.map((tool) => quoted(tool, 130)).join(', ')}`]),
    ...(item.install === '' ? [] : [` | ${item.install}`]),
    ...(item.copies === 0
      ? []
      : [`\n   and ${item.copies} ${item.copies === 1 ? 'copy' : 'copies'} with the same text`]),
    `\n   next: ${nextText(item.next)}`,
  ].join('');
