import { AVAILABILITIES, AVAILABILITY_DESCRIPTION } from '#catalog/items/availability.ts';
import { LISTING_TYPES } from '#catalog/items/kinds.ts';
import { builtInName, OWN_SOURCE, SOURCES } from '#catalog/items/own-listings.ts';
import { runOf, type ToolSignature, toolSignatures } from '#catalog/probes/tool-signatures.ts';
import { resemblanceOfHit } from '#catalog/search/answer/resemblance.ts';
import { NO_FILTERS } from '#catalog/search/query/filter.ts';
import { searchCapabilities } from '#catalog/search/query/marketplace-search.ts';
import { capabilityOfHit } from '#catalog/search/query/marketplace-view.ts';
import { toolFinder } from '#catalog/search/query/matching-tool.ts';
import type { QueryPlan } from '#catalog/search/query/query-plan.ts';
import { Type } from '#core/json-schema/type.ts';
import { type RunTool, tool } from '#core/tools/tool.ts';
import { DATA_NOTE, Next, nextText, plain, quoted } from '#core/tools/words.ts';
import type { MarketplaceDeps } from '../deps.ts';
import type { Listing } from '../shapes.ts';

/** The marketplace search for models, without duplicates across providers. */

const text = Type.String();

const MOST_FINDINGS = 5;

const Found = Type.Object({
  id: text,
  name: text,
  listing_type: text,
  listed_by: Type.Array(text),
  verification: text,
  availability: Type.Enum([...AVAILABILITIES]),
  resembles: Type.Union([text, Type.Null()], { description: 'What its name was made to look like, as a sentence.' }),
  copies: Type.Integer({ minimum: 0, description: 'Further matches with the same text. `copies_of` lists them.' }),
  tool: Type.Union([text, Type.Null()], { description: 'The tool of a server that fits the query best.' }),
  tools: Type.Array(text, { description: 'Of a server that answered its last probe: the first ones, as signatures.' }),
  next: Next,
});

export const marketplaceSearch = ({
  db,
  index,
  countUnlinked,
}: Pick<MarketplaceDeps, 'db' | 'index' | 'countUnlinked'>) =>
  tool({
    name: 'marketplace_search',
    title: 'Search the marketplace',
    description:
      'Find capabilities by function, deduplicated over all registries, best match first. Query by keywords, ' +
      'sentence, name, author or id; typos are corrected, synonyms match, and other languages are understood. `verified` keeps only those ' +
      'reproduced here or used by independent accounts. Each hit includes the next call to make.',
    scope: null,
    input: Type.Object(
      {
        query: Type.String({ minLength: 1, maxLength: 400, pattern: '\\S', description: 'The search query.' }),
        listing_type: Type.Optional(Type.Enum([...LISTING_TYPES], { description: 'Only this type.' })),
        provider: Type.Optional(Type.Enum([...SOURCES], { description: 'Only capabilities of this provider.' })),
        verified: Type.Optional(
          Type.Boolean({
            description: 'Only capabilities reproduced here or used by independent accounts, or only the rest.',
          }),
        ),
        availability: Type.Optional(
          Type.Array(Type.Enum([...AVAILABILITIES]), {
            minItems: 1,
            maxItems: AVAILABILITIES.length,
            uniqueItems: true,
            description: `Only those that can be used like this. ${AVAILABILITY_DESCRIPTION}`,
          }),
        ),
        copies_of: Type.Optional(
          Type.String({ minLength: 1, maxLength: 200, description: 'Id of a result: lists it with its copies.' }),
        ),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 5, description: 'Page size.' })),
        offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, default: 0, description: 'Offset.' })),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      total_count: Type.Integer(),
      corrected: Type.Array(Type.Object({ from: text, to: text })),
      translated: Type.Array(Type.Object({ from: text, to: text })),
      unmatched: Type.Array(text),
      not_linked: Type.Integer(),
      items: Type.Array(Found),
      next_offset: Type.Union([Type.Integer(), Type.Null()]),
    }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { query: 'query a postgres database', listing_type: 'server', limit: 3 },
    run: async (
      {
        query,
        listing_type = null,
        provider = null,
        verified = null,
        availability = null,
        copies_of = null,
        limit = 5,
        offset = 0,
      },
      { run_tool },
    ) => {
      const filters = { ...NO_FILTERS, provider, listing_type, verified, availability };
      const page = { sort: 'relevance' as const, limit, offset };
      const asked = { text: query.toWellFormed(), as_typed: false, filters, copies_of, ...page };
      const view = await index.view();
      const aid = await index.aid(view, asked);
      const { total_count, hits, plan } = searchCapabilities(view, { ...asked, aid });
      const end = offset + hits.length;
      const listings = hits.map((hit) => capabilityOfHit<Listing>(view, hit.row));
      const toolOf = toolFinder(view, asked.text, aid);
      const fitting = hits.map(({ row }) => toolOf(row));
      const tools = await toolSignatures(db, listings.filter(isServer).flatMap(keysOf));
      const structured = {
        total_count,
        corrected: plan.corrected,
        translated: plan.translated,
        unmatched: plan.unmatched,
        not_linked: await countUnlinked(),
        items: listings.map((listing, at) => ({
          ...shownHit(listing, { tools: toolsOf(listing, tools), tool: fitting[at] ?? null }, run_tool),
          copies: hits[at]?.copies ?? 0,
          resembles: hits[at] === undefined ? null : (resemblanceOfHit(view, hits[at].row)?.detail ?? null),
        })),
        next_offset: hits.length > 0 && end < total_count ? end : null,
      };
      const building = view.is_whole ? '' : 'The index is being built and results are incomplete. Retry in a moment.\n';
      return { structured, text: building + textOf(structured, query) };
    },
  });

type Shown = ReturnType<typeof shownHit> & { copies: number; resembles: string | null };

const isServer = ({ execution_class }: Listing): boolean => execution_class === 'mcp';

/** Of each listing; a few of its sources name the same server. */
const MOST_SOURCES = 4;

const keysOf = ({ sources }: Listing) =>
  sources.slice(0, MOST_SOURCES).map(({ provider, external_id }) => ({ provider_id: provider as string, external_id }));

const toolsOf = (listing: Listing, tools: ReadonlyMap<string, ToolSignature[]>): ToolSignature[] =>
  keysOf(listing)
    .map(({ provider_id, external_id }) => tools.get(`${provider_id}/${external_id}`))
    .find((found) => found !== undefined) ?? [];

interface HitTools {
  tools: readonly ToolSignature[];
  /** The one that fits the query best. */
  tool: string | null;
}

function shownHit(listing: Listing, { tools, tool }: HitTools, runTool: RunTool | null) {
  const source = listing.sources[0] as Listing['sources'][number];
  const { provider, external_id } = source;
  const carried = builtInName(listing.id);
  const isListedSkill = listing.listing_type === 'skill' && provider !== OWN_SOURCE;
  return {
    id: listing.id,
    name: plain(listing.name, 80),
    listing_type: listing.listing_type,
    execution_class: listing.execution_class,
    description: plain(listing.description, 120),
    listed_by: [...new Set(listing.sources.map((source) => source.provider as string))],
    verification: listing.verification.level as string,
    verified: listing.verification.verified,
    availability: listing.availability,
    looked_at: listing.verification.looked_at,
    flagged: listing.flagged,
    findings: listing.verification.findings
      .filter(({ severity }) => severity !== 'note')
      .slice(0, MOST_FINDINGS)
      .map(({ rule, severity, place, detail }) => ({ rule, severity, place: plain(place, 120), detail })),
    upstream: listing.verification.upstream.map(({ source, verdict }) => ({ source, verdict })),
    tool: tool === null ? null : plain(tool, 80),
    tools: tools.map(({ signature }) => signature),
    next: runOf(listing.id, { tools, tool }, runTool) ?? {
      tool: isListedSkill || carried !== null ? 'registry_get_skill' : 'registry_get_listing',
      arguments: carried === null ? { provider, external_id } : { name: carried },
    },
  };
}

interface Page extends Pick<QueryPlan, 'corrected' | 'translated' | 'unmatched'> {
  total_count: number;
  not_linked: number;
  items: Shown[];
  next_offset: number | null;
}

function textOf(
  { total_count, corrected, translated, unmatched, not_linked, items, next_offset }: Page,
  query: string,
): string {
  const waiting = not_linked === 0 ? [] : [`${not_linked} listings are still being linked. Retry in a moment.`];
  if (items.length === 0)
    return [`Nothing matches ${quoted(query, 100)}. Try other words or remove a filter.`, ...waiting].join(' ');
  const notes = [
    ...corrected.map(({ from, to }) => `${quoted(from, 40)} was corrected to ${quoted(to, 40)}.`),
    ...translated.map(({ from, to }) => `${quoted(from, 40)} was read as ${quoted(to, 40)}.`),
    ...unmatched.map((value) => `No match for ${quoted(value, 40)}.`),
    ...waiting,
  ];
  const more = next_offset === null ? [] : [`For more, call again with "offset": ${next_offset}.`];
  return [[`${total_count} match, best first.`, ...notes, DATA_NOTE].join(' '), ...items.map(hitText), ...more].join(
    '\n',
  );
}

const WORDS: Record<Shown['availability'], string> = {
  runs: 'runs now',
  untried: 'not tried here',
  sign_in: 'needs sign-in',
  settings: 'needs settings',
  key: 'needs a key',
  model: 'needs a language model',
  install: 'cannot run here',
  silent: 'not answering',
  unknown: 'may run elsewhere',
};

const copiesText = ({ id, copies }: Shown): string =>
  `and ${copies} ${copies === 1 ? 'copy' : 'copies'} with the same text: add "copies_of": ${quoted(id, 200)} to list them`;

const hitText = (item: Shown, at: number): string =>
  [
    `${at + 1}. ${quoted(item.name, 80)} ${item.listing_type}, ${item.execution_class}, ${item.listed_by.join(' + ')}`,
    `, ${item.verification}, ${WORDS[item.availability]}${item.flagged ? ', FLAGGED' : ''}`,
    ...(item.description === '' ? [] : [`: ${quoted(item.description, 120)}`]),
    ...item.findings.map(
      ({ rule, severity, place, detail }) => `\n   ${severity} ${rule} in ${quoted(place, 120)}: ${detail}`,
    ),
    ...item.upstream.map(({ source, verdict }) => `\n   ${source} says: ${verdict}`),
    ...(item.tool === null ? [] : [`\n   fits best: its tool ${quoted(item.tool, 80)}`]),
    ...(item.tools.length === 0
      ? []
      : [`\n   tools: ${item.tools.map((signature) => quoted(signature, 130)).join(', ')}`]),
    ...(item.resembles === null ? [] : [`\n   CAUTION: ${item.resembles}`]),
    ...(item.copies === 0 ? [] : [`\n   ${copiesText(item)}`]),
    `\n   next: ${nextText(item.next)}`,
  ].join('');
