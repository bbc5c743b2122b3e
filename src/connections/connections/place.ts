import type { Kysely } from 'kysely';
import { DETAIL_WAITS_MS, type EnsureDetail } from '#catalog/details/fetch-details.ts';
import { catalogProblem } from '#catalog/errors.ts';
import { placesNamed } from '#catalog/identity/named.ts';
import { launchFault } from '#catalog/install/launch-endpoint.ts';
import { declaresSettings, faultOfPath, withSettings } from '#catalog/install/launch-settings.ts';
import { faultOfValue, launchFields } from '#catalog/install/launch-target.ts';
import { type Launch, launchesOf } from '#catalog/install/launches.ts';
import { remoteFields, variablesOf } from '#catalog/install/remote-fields.ts';
import { remotesOf } from '#catalog/install/remotes.ts';
import { findLiveListing } from '#catalog/items/live-listing.ts';
import { builtInName, OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { type Nearest, withNearest } from '#catalog/search/nearest.ts';
import { connectionsProblem } from '#connections/errors.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Share } from '#core/fair-queue/share.ts';
import type { PackagedServers, PackageStep } from '#core/mcp/packaged-servers.ts';
import type { McpTransport, McpWay } from '#core/mcp/target.ts';
import { Problem, pointerTo } from '#core/problem/problem.ts';
import { quoted } from '#core/tools/words.ts';
import { type AuthField, isOfPackage, withoutValue } from './connection.ts';

/** Determines the server of a new connection and what it requires, from its listing or its URL. */
export interface Place {
  url: string;
  transport: McpWay;
  name: string;
  provider_id: string | null;
  external_id: string | null;
  fields: AuthField[];
  /** Of a server that is started from a package; the URL is the package's then. */
  package: Launch | null;
}

export function placeOfAddress(url: string, transport: McpTransport): Place {
  const parsed = URL.parse(url);
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol) || parsed.hash !== '')
    throw connectionsProblem('connections.invalid', 'The URL must begin with https://.', { reason: 'address' });
  return {
    url,
    transport,
    name: parsed.host.slice(0, 100),
    provider_id: null,
    external_id: null,
    fields: variablesOf(url, []),
    package: null,
  };
}

interface ListingPlace {
  provider: string;
  external_id: string;
  /** Index of the used remote of the listing. */
  remote?: number | undefined;
  /** Which of its packages, from 0. */
  package?: number | undefined;
}

interface PlaceDeps {
  db: Kysely<Schema>;
  clock: Clock;
  ensureDetail: EnsureDetail;
  packaged: Pick<PackagedServers, 'refusal' | 'pin' | 'settings'>;
  /** Whose turn it is if the package has to be prepared. */
  share: Share;
  on_step?: ((step: PackageStep) => void) | undefined;
}

/**
 * Without an index: the first address, else the first package that can be run here.
 *
 * @throws what finding a listing does, `connections.invalid` (`no_remote`), and `packages.*` where the package has no exact version.
 */
export async function placeOfListing(deps: PlaceDeps, wanted: ListingPlace, signal: AbortSignal): Promise<Place> {
  const { db, clock, ensureDetail, packaged } = deps;
  const { provider, external_id } = wanted;
  const listed = await findLiveListing(db, { provider, external_id }, clock.now());
  const row = await ensureDetail(listed, DETAIL_WAITS_MS.use);
  const install = row.install === null ? null : JSON.parse(row.install);
  const remotes = remotesOf(install);
  const remote = remotes.filter(({ transport }) => transport !== null)[wanted.remote ?? 0];
  const of = { name: row.name.slice(0, 100), provider_id: provider, external_id: row.external_id };
  if (remote !== undefined && remote.transport !== null && wanted.package === undefined)
    return { ...of, url: remote.url, transport: remote.transport, fields: remoteFields(remote), package: null };
  const launches = launchesOf(install);
  if (wanted.remote !== undefined || launches.length === 0) throw withoutAddress(row.name, remotes.length);
  const launch = chosenLaunch(launches, wanted.package, packaged, row.name);
  const { source, purl } = await packaged.pin(launch.package, signal);
  const complete = await withDeclared(deps, { ...launch, package: source }, signal);
  const fields = launchFields(complete).map((field) => ({ ...field, value: '' }));
  return { ...of, url: purl, transport: 'stdio', fields, package: complete };
}

/** With the settings that the files of the package declare. */
async function withDeclared({ packaged, share, on_step }: PlaceDeps, launch: Launch, signal: AbortSignal) {
  if (!declaresSettings(launch)) return launch;
  const complete = withSettings(launch, await packaged.settings({ source: launch.package, share, signal, on_step }));
  const wanted = launchFields(complete).find(
    ({ format, required, default: preset }) =>
      required && preset === '' && (format === 'directory' || format === 'file'),
  );
  if (wanted !== undefined)
    throw packageUnsupported(
      `The package needs a ${wanted.format} of its user (${quoted(wanted.name, 100)}), and a service has none. Run it on your machine with capstan run --local.`,
    );
  if (JSON.stringify(complete).length > MOST_LAUNCH_CHARS)
    throw packageUnsupported('The bundle describes its settings at too great a length.');
  return complete;
}

/** Each may be a request to a provider. */
const MOST_TRIED = 4;

interface NameDeps extends PlaceDeps {
  database: Pick<Database, 'db' | 'engine'>;
  nearest?: Nearest | undefined;
}

/**
 * By any name of a listing: the first of its sources that has an address or a package to run.
 *
 * @throws what `placeOfListing` does for the most trusted source, and `registry.not_found` with the nearest names.
 */
export async function placeOfName(deps: NameDeps, ref: string, signal: AbortSignal): Promise<Place> {
  const { database, nearest } = deps;
  if (builtInName(ref) !== null) throw notServer(ref);
  const places = await placesNamed(database)(ref);
  const sources = places.filter(({ provider }) => provider !== OWN_SOURCE);
  let failure: unknown = catalogProblem('registry.not_found', `No server is named ${quoted(ref, 200)}.`);
  for (const [index, source] of sources.slice(0, MOST_TRIED).entries())
    try {
      return await placeOfListing(deps, source, signal);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (index === 0) failure = error;
    }
  throw withNearest(failure, nearest, ref);
}

const notServer = (ref: string): Problem =>
  connectionsProblem('connections.invalid', `${quoted(ref, 200)} is a skill, not a server. Run it as a task.`, {
    reason: 'no_remote',
  });

function chosenLaunch(
  launches: readonly Launch[],
  index: number | undefined,
  { refusal }: Pick<PackagedServers, 'refusal'>,
  name: string,
): Launch {
  const refusals = launches.map((launch) => refusal(launch) ?? launchFault(launch));
  const at = index ?? refusals.indexOf(null);
  const launch = launches[at];
  const why = at === -1 ? refusals[0] : refusals[at];
  if (index !== undefined && launch === undefined)
    throw connectionsProblem(
      'connections.invalid',
      `${quoted(name, 100)} has ${launches.length} packages; there is none with the index ${index}.`,
      { reason: 'no_remote' },
    );
  if (launch === undefined || typeof why === 'string')
    throw packageUnsupported(why ?? 'The package cannot be run here.');
  if (JSON.stringify(launch).length > MOST_LAUNCH_CHARS)
    throw packageUnsupported('The listing describes the package at too great a length.');
  return launch;
}

const packageUnsupported = (detail: string): Problem =>
  connectionsProblem('connections.invalid', detail, { reason: 'package' });

/** It is kept with the connection. */
const MOST_LAUNCH_CHARS = 65_536;

const withoutAddress = (name: string, remotes: number): Problem =>
  connectionsProblem(
    'connections.invalid',
    remotes === 0
      ? `${quoted(name, 100)} has no remote URL; it must be installed locally.`
      : `${quoted(name, 100)} has no remote with this index and a supported transport.`,
    { reason: 'no_remote' },
  );

/**
 * Plain values by field name. Throws `connections.invalid` (`variables`) for a secret, an unknown name, and a value of a bundle that is
 * missing: no later request could set it.
 */
export function plainValues(
  fields: readonly AuthField[],
  values: Record<string, string>,
  launch: Launch | null = null,
): Record<string, string> {
  const missing = launch !== null && declaresSettings(launch) ? fields.filter(isMissing) : [];
  function isMissing({ name, required, secret, default: preset }: AuthField): boolean {
    return required && !secret && preset === '' && !Object.hasOwn(values, name);
  }
  const wrong = Object.entries(values).flatMap(([name, value]) => {
    const field = fields.find((field) => field.name === name);
    const fault =
      field === undefined
        ? 'is not a variable, header, environment variable or argument of this server'
        : faultOf(field, value);
    return fault === null ? [] : [{ pointer: `/variables${pointerTo(name)}`, detail: fault }];
  });
  const errors = [
    ...wrong,
    ...missing.map(({ name, description }) => ({
      pointer: `/variables${pointerTo(name)}`,
      detail: description === '' ? 'Required.' : `Required: ${description.slice(0, 200)}`,
    })),
  ];
  if (errors.length === 0) return values;
  const detail =
    missing.length === 0
      ? 'Invalid variable.'
      : `The server requires ${missing.map(({ name }) => quoted(name, 100)).join(', ')}. Send them in variables.`;
  // Only the files of a bundle have its fields, so a form learns them here.
  const extensions = launch !== null && declaresSettings(launch) ? { fields: fields.map(withoutValue) } : {};
  throw connectionsProblem('connections.invalid', detail, { reason: 'variables', errors, extensions });
}

function faultOf(field: AuthField, value: string): string | null {
  if (isOfPackage(field) && !field.secret) return faultOfValue(field, value) ?? faultOfPath(field, value);
  if (field.secret) return 'is a secret: store it with PUT …/credentials after creating the connection';
  return /\p{Cc}/u.test(value) || !value.isWellFormed()
    ? 'contains characters that are not allowed in a header or URL'
    : null;
}
