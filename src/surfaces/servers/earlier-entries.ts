import type { ReadEarlier } from '#catalog/details/earlier-versions.ts';
import { factsIn, type ListedVersion } from '#catalog/items/facts.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import { oneLine, shortened } from '#surfaces/interop/shown-text.ts';
import { takenOver } from './packages.ts';
import { NO_VERSION, placeOf } from './server-entry.ts';
import type { ServerNames } from './server-names.ts';
import { OFFICIAL, type ServerResponse } from './shapes.ts';

/** Versions of a server before the latest, newest first: from the registry's records, or with their dates alone. */

export interface EarlierDeps {
  names: ServerNames;
  base_url: string;
  reverse_domain: string;
  earlier: ReadEarlier;
}

export async function earlierEntries(row: ListingRow, deps: EarlierDeps): Promise<ServerResponse[]> {
  // A server that was taken down shows no text of its author.
  if (row.taken_down !== null) return [];
  const latest = row.version || NO_VERSION;
  const versions = (factsIn(row.facts).versions ?? []).filter(({ version }) => version !== latest);
  if (versions.length === 0) return [];
  const records = new Map((await deps.earlier(row)).flatMap(recordOf));
  return versions.map((version) => entryOf(row, version, records.get(version.version) ?? {}, deps));
}

type ServerObject = Record<string, unknown>;

function recordOf(record: unknown): [string, ServerObject][] {
  const server = isObject(record) ? record.server : null;
  return isObject(server) && typeof server.version === 'string' ? [[server.version, server]] : [];
}

function entryOf(row: ListingRow, listed: ListedVersion, server: ServerObject, deps: EarlierDeps): ServerResponse {
  const { packages, remotes } = takenOver(server);
  const { status } = listed;
  const title = shortened(textOf(server.title), 100);
  const published = dateTime(listed.published_at) ?? row.first_seen_at;
  return {
    server: {
      name: deps.names.nameOf(row),
      ...defined({ title: title || undefined }),
      description: shortened(textOf(server.description), 100) || shortened(row.description, 100) || 'No description.',
      version: oneLine(listed.version),
      ...defined({
        packages: packages.length === 0 ? undefined : packages,
        remotes: remotes.length === 0 ? undefined : remotes,
      }),
    },
    _meta: {
      [OFFICIAL]: {
        status: row.removed_at === null ? statusOf(status?.status) : 'deleted',
        ...defined({
          statusMessage: status?.message === undefined ? undefined : oneLine(status.message),
          statusChangedAt: dateTime(status?.changed_at) ?? undefined,
        }),
        publishedAt: published,
        updatedAt: dateTime(status?.changed_at) ?? published,
        isLatest: false,
      },
      [`${deps.reverse_domain}/custom`]: { ...placeOf(row, deps.base_url), published_at: listed.published_at },
    },
  };
}

/** As strict clients require. */
function dateTime(written: string | null | undefined): string | null {
  if (written === null || written === undefined) return null;
  const ms = Date.parse(written);
  if (Number.isNaN(ms)) return null;
  return written.includes('T') && written.endsWith('Z') ? written : isoTime(ms);
}

const statusOf = (status: string | undefined): 'active' | 'deprecated' | 'deleted' =>
  status === 'deprecated' || status === 'deleted' ? status : 'active';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const isObject = (value: unknown): value is ServerObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
