import type { Kysely } from 'kysely';
import { DETAIL_WAITS_MS, type EnsureDetail } from '#catalog/details/fetch-details.ts';
import { isHeaderName, type Remote, remotesOf } from '#catalog/install/remotes.ts';
import { findLiveListing } from '#catalog/items/live-listing.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { McpTransport } from '#core/mcp/target.ts';
import { Problem } from '#core/problem/problem.ts';
import { quoted } from '#core/tools/words.ts';
import type { AuthField } from './connection.ts';

/** Determines the server of a new connection and what it requires, from its listing or its URL. */
export interface Place {
  url: string;
  transport: McpTransport;
  name: string;
  provider_id: string | null;
  external_id: string | null;
  fields: AuthField[];
}

export function placeOfAddress(url: string, transport: McpTransport): Place {
  const parsed = URL.parse(url);
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol) || parsed.hash !== '')
    throw new Problem('unprocessable', 'sessions.address_refused', 'The URL must begin with https://.');
  return {
    url,
    transport,
    name: parsed.host.slice(0, 100),
    provider_id: null,
    external_id: null,
    fields: variablesOf(url, []),
  };
}

interface ListingPlace {
  provider: string;
  external_id: string;
  /** Index of the used remote of the listing. */
  remote?: number | undefined;
}

/** Throws what finding a listing throws, or `sessions.listing_without_address`. */
export async function placeOfListing(
  { db, clock, ensureDetail }: { db: Kysely<Schema>; clock: Clock; ensureDetail: EnsureDetail },
  { provider, external_id, remote: number = 0 }: ListingPlace,
): Promise<Place> {
  const listed = await findLiveListing(db, { provider, external_id }, clock.now());
  const row = await ensureDetail(listed, DETAIL_WAITS_MS.use);
  const remotes = remotesOf(row.install === null ? null : JSON.parse(row.install));
  const remote = remotes.filter(({ transport }) => transport !== null)[number];
  if (remote === undefined || remote.transport === null) throw withoutAddress(row.name, remotes.length);
  return {
    url: remote.url,
    transport: remote.transport,
    name: row.name.slice(0, 100),
    provider_id: provider,
    external_id: row.external_id,
    fields: fieldsOf(remote),
  };
}

const withoutAddress = (name: string, remotes: number): Problem =>
  new Problem(
    'unprocessable',
    'sessions.listing_without_address',
    remotes === 0
      ? `${quoted(name, 100)} has no remote URL; it must be installed locally.`
      : `${quoted(name, 100)} has no remote with this index and a supported transport.`,
  );

function fieldsOf({ url, headers, variables }: Remote): AuthField[] {
  const sent = headers.filter(({ name }) => isHeaderName(name)).map((header) => ({ ...header, in: 'header' as const }));
  const named = variables.map((variable) => ({ ...variable, in: 'variable' as const }));
  const texts = [url, ...sent.map(({ value }) => value)].join(' ');
  return [...sent, ...named, ...variablesOf(texts, named)];
}

/** Variables without a description, which must be filled in anyway. */
function variablesOf(text: string, known: readonly AuthField[]): AuthField[] {
  const names = new Set([...text.matchAll(/\{([^{}]{1,100})\}/g)].map(([, name]) => name as string));
  return [...names]
    .filter((name) => !known.some((authField) => authField.name === name))
    .map((name) => ({ name, in: 'variable', description: '', required: true, secret: false, value: '', default: '' }));
}

/** Plain values by field name. Throws `sessions.variable_unfit` for a secret or an unknown name. */
export function plainValues(fields: readonly AuthField[], values: Record<string, string>): Record<string, string> {
  const errors = Object.entries(values).flatMap(([name, value]) => {
    const field = fields.find((field) => field.name === name);
    const fault = field === undefined ? 'is not a variable or header of this server' : faultOf(field, value);
    return fault === null
      ? []
      : [{ pointer: `/variables/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, detail: fault }];
  });
  if (errors.length === 0) return values;
  throw new Problem('unprocessable', 'sessions.variable_unfit', 'Invalid variable.', { errors });
}

function faultOf({ secret }: AuthField, value: string): string | null {
  if (secret) return 'is a secret: store it with PUT …/credentials after creating the connection';
  return /\p{Cc}/u.test(value) || !value.isWellFormed()
    ? 'contains characters that are not allowed in a header or URL'
    : null;
}
