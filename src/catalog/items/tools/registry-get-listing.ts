import type { Kysely } from 'kysely';
import type { TSchema } from 'typebox';
import { DETAIL_WAITS_MS, type EnsureDetail } from '#catalog/details/fetch-details.ts';
import { catalogProblem } from '#catalog/errors.ts';
import type { ReadPlaces } from '#catalog/identity/named.ts';
import { readName } from '#catalog/identity/read-name.ts';
import { installAdvice } from '#catalog/install/install-advice.ts';
import { installHint, storedHint } from '#catalog/install/install-hint.ts';
import { remotesOf } from '#catalog/install/remotes.ts';
import { type Nearest, withNearest } from '#catalog/search/nearest.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import { coreProblem } from '#core/errors.ts';
import { Type } from '#core/json-schema/type.ts';
import type { Problem } from '#core/problem/problem.ts';
import { tool } from '#core/tools/tool.ts';
import { DATA_NOTE, Next, nextText, plain, quoted } from '#core/tools/words.ts';
import { detailOf, type ItemDetail } from '../item-detail.ts';
import { PROVIDERS } from '../kinds.ts';
import { listingUri } from '../listing-uri.ts';
import { findLiveListing } from '../live-listing.ts';
import { OWN_SOURCE, type ReadOwn } from '../own-listings.ts';
import { ownShown, shownVerification, verificationLines } from '../own-shown.ts';
import type { ReadRunnable, RunnableReason } from '../runnable.ts';
import { ToolHints } from '../tool-hints.ts';
import { type ReadVerification, verificationOfOne } from '../verification.ts';

export interface RegistryGetListingDeps {
  db: Kysely<Schema>;
  clock: Clock;
  runnable: ReadRunnable;
  verification: ReadVerification;
  /** Reads published listings; if omitted, there are none. */
  readOwn?: ReadOwn | undefined;
  ensureDetail: EnsureDetail;
  /** Looks up names; if omitted, listings are found by provider and id only. */
  places?: ReadPlaces | undefined;
  nearest?: Nearest | undefined;
}

const text = Type.String();
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** The documented part of the output; it has more fields. */
const Listing = Type.Object({
  name: text,
  provider: text,
  external_id: text,
  description: text,
  install: text,
  clients: Type.Array(Type.Object({ client: text, how: text })),
  runnable: Type.Object({ reason: orNull(text), detail: text }),
  verification: Type.Object({
    level: text,
    verified: Type.Boolean(),
    looked_at: Type.Array(text),
    checked_at: orNull(text),
    receipts: Type.Integer(),
    findings: Type.Array(Type.Object({ severity: text, detail: text })),
  }),
  tools: Type.Array(Type.Object({ name: text, description: text, annotations: Type.Optional(ToolHints) })),
  next: orNull(Next),
});

export const registryGetListing = ({
  db,
  clock,
  runnable,
  verification,
  readOwn,
  ensureDetail,
  places,
  nearest,
}: RegistryGetListingDeps) =>
  tool({
    name: 'registry_get_listing',
    title: 'Get a listing',
    description:
      'One listing of the registry: what it is, install instructions per client, required settings, whether it can be run ' +
      'here and with which tools, and the next call. Use it on a hit of registry_search. For skills, registry_get_skill ' +
      'has more.',
    scope: null,
    input: Type.Object(
      {
        ref: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 1_000,
            description:
              'Any name of it: an id from a list, search or page, `publisher/name` or `provider/external_id`.',
          }),
        ),
        provider: Type.Optional(
          Type.Enum([...PROVIDERS, OWN_SOURCE], { description: 'Without `ref`: provider of the listing.' }),
        ),
        external_id: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 1_000,
            description: 'With `provider`, as returned by registry_search.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Listing,
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { provider: 'mcp-registry', external_id: 'example.weather/forecast' },
    run: async (asked) => {
      const place = await placeOf(asked, places, nearest);
      if (place.provider === OWN_SOURCE) return ownShown(await (readOwn ?? noOwnListings)(place.external_id));
      const row = await ensureDetail(await findLiveListing(db, place, clock.now()), DETAIL_WAITS_MS.page);
      const [ran, verified] = await Promise.all([runnable(row), verificationOfOne(verification, row)]);
      const structured = shown(detailOf(row, ran, verified), row.install);
      return {
        structured,
        text: textOf(structured),
        links: [
          {
            uri: listingUri(structured.provider, structured.external_id),
            name: structured.name,
            media_type: 'text/markdown',
          },
        ],
      };
    },
  });

interface Asked {
  ref?: string | undefined;
  provider?: string | undefined;
  external_id?: string | undefined;
}

const NO_PLACES: ReadPlaces = async () => [];

async function placeOf({ ref, provider, external_id }: Asked, places = NO_PLACES, nearest?: Nearest) {
  if (ref === undefined && provider !== undefined && external_id !== undefined) return { provider, external_id };
  if (ref === undefined || provider !== undefined || external_id !== undefined) throw unclear();
  const name = readName(ref);
  if (name?.form === 'skill' || name?.form === 'word') throw namesSkill(name.form === 'skill' ? name.name : name.word);
  const [place] = await places(ref);
  if (place !== undefined) return place;
  throw withNearest(catalogProblem('registry.not_found', `Nothing is named ${quoted(ref)}.`), nearest, ref);
}

const unclear = (): Problem =>
  coreProblem('http.invalid', 'Name one listing: `ref`, or `provider` and `external_id`.', {
    reason: 'input',
    errors: [{ pointer: '/ref', detail: 'is needed alone, or provider and external_id without it' }],
  });

const namesSkill = (name: string): Problem =>
  catalogProblem(
    'registry.not_found',
    `No listing is named ${quoted(name)}. A skill of this service is returned by registry_get_skill with this name.`,
  );

const noOwnListings: ReadOwn = async () => {
  throw catalogProblem('registry.not_found', 'Listing not found.');
};

const MOST_TOOLS = 20;
/** The listing's page has all clients; this output is kept short for models. */
const SHOWN_CLIENTS = new Set(['claude-code', 'codex', 'gemini-cli', 'vscode', 'cursor', 'any']);

function shown(item: ItemDetail, install: string | null) {
  return {
    name: plain(item.name),
    provider: item.provider_id,
    external_id: item.external_id,
    listing_type: item.listing_type,
    execution_class: item.execution_class,
    description: plain(item.description, 1_000),
    version: plain(item.version),
    author: plain(item.author),
    license: plain(item.license),
    homepage: item.homepage,
    repository: item.repository,
    tags: item.tags.slice(0, 20).map((tag) => plain(tag, 50)),
    downloads: item.downloads,
    stars: item.stars,
    updated_at: item.external_updated_at,
    install: installHint(item, storedHint(install)),
    clients: item.installs.clients.flatMap(({ client, command, link }) =>
      SHOWN_CLIENTS.has(client) ? [{ client, how: command || link }] : [],
    ),
    settings: settingsOf(item.install),
    runnable: {
      reason: item.runnable.reason,
      checked_at: item.runnable.checked_at,
      detail: plain(item.runnable.detail, 500),
    },
    verification: shownVerification(item.verification),
    tools: (item.tools ?? []).slice(0, MOST_TOOLS).map(({ name, description, annotations }) => ({
      name: plain(name, 128),
      description: plain(description, 120),
      ...defined({ annotations }),
    })),
    next: nextOf(item),
    page: item.links.markdown,
  };
}

/** Headers, variables and environment that the user has to provide. */
function settingsOf(install: ItemDetail['install']) {
  const packages = (Array.isArray(install?.packages) ? install.packages : []) as { env?: unknown }[];
  const asked = [
    ...remotesOf(install).flatMap((remote) => [...remote.headers, ...remote.variables]),
    ...packages.flatMap((pkg) => (Array.isArray(pkg?.env) ? (pkg.env as { name?: unknown }[]) : [])),
  ] as { name?: unknown; required?: unknown; secret?: unknown }[];
  const named = asked.flatMap(({ name, required, secret }) =>
    typeof name === 'string' && name !== ''
      ? [{ name: plain(name, 100), required: required === true, secret: secret === true }]
      : [],
  );
  return [...new Map(named.map((entry) => [entry.name, entry])).values()].slice(0, 30);
}

/** With a connection, its owner gives what is missing. */
const CONNECTED: readonly RunnableReason[] = ['auth_needed', 'missing_env', 'wants_network'];

function nextOf({ listing_type, execution_class, provider_id, external_id, runnable, tools }: ItemDetail): Next | null {
  if (listing_type === 'skill')
    return { tool: 'registry_get_skill', arguments: { provider: provider_id, external_id } };
  const capability = { kind: 'listing', ref: `${provider_id}/${external_id}` };
  const input = execution_class === 'mcp' ? inputOf(tools?.[0]?.name, runnable.reason) : {};
  if (runnable.reason === 'ok' || runnable.reason === 'startable' || runnable.reason === null)
    return { tool: 'task_create', arguments: { capability, input } };
  if (CONNECTED.includes(runnable.reason as RunnableReason)) return { tool: 'connection_list', arguments: {} };
  return null;
}

/** If no tool is known, the run of a package lists them; at a remote server, the error of the call does. */
function inputOf(tool: string | undefined, reason: RunnableReason | null): object {
  if (tool === undefined && reason === 'startable') return {};
  return { tool: tool ?? 'unknown', arguments: {} };
}

type Shown = ReturnType<typeof shown>;

function textOf(structured: Shown): string {
  const facts = [
    `${structured.listing_type}, ${structured.execution_class}`,
    `${structured.provider} ${plain(structured.external_id, 1_000)}`,
    ...(structured.version === '' ? [] : [`version ${quoted(structured.version, 60)}`]),
    ...(structured.author === '' ? [] : [`by ${quoted(structured.author, 60)}`]),
    ...(structured.license === '' ? [] : [`license ${quoted(structured.license, 60)}`]),
    ...(structured.downloads > 0 ? [`${structured.downloads} downloads`] : []),
  ];
  const wanted = structured.settings.filter(({ required, secret }) => required || secret).map(({ name }) => name);
  return [
    `${quoted(structured.name)}: ${facts.join(' | ')}. ${DATA_NOTE}`,
    ...(structured.description === '' ? [] : [quoted(structured.description, 1_000)]),
    `Runs here: ${structured.runnable.reason === 'ok' ? 'yes' : (structured.runnable.reason ?? 'unknown')}. ${structured.runnable.detail}`,
    ...verificationLines(structured.verification),
    ...(structured.tools.length === 0
      ? []
      : [`Tools: ${structured.tools.map(({ name }) => quoted(name, 128)).join(', ')}`]),
    ...(structured.install === '' ? [] : [`Install: ${structured.install}`]),
    ...structured.clients.map(({ client, how }) => `- ${client}: ${how}`),
    ...(wanted.length === 0 ? [] : [`Required settings: ${wanted.map((name) => quoted(name, 100)).join(', ')}`]),
    nextLine(structured),
  ].join('\n');
}

function nextLine(entry: Shown): string {
  const { next, runnable, provider, external_id } = entry;
  if (next === null) return installAdvice(entry);
  if (runnable.reason === 'auth_needed') {
    const body = JSON.stringify({ listing: { provider, external_id } });
    return `Next: connect with POST /api/sessions/connections ${body} and authorize it; then ${nextText(next)} shows the connection for connection_tools.`;
  }
  if (next.tool !== 'task_create') return `Next: ${nextText(next)}`;
  const lists =
    runnable.reason === 'startable' && entry.tools.length === 0 ? ' Without a tool, the run lists them.' : '';
  return `Next: ${nextText(next)}, then task_start (both need a token).${lists}`;
}
