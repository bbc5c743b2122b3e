import type { Connection } from '#core/db/connection.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { inChunks } from '#marketplace/moderation/standing-of.ts';
import { type Place, placeOf } from './place.ts';

/** Publishers of capabilities, by publication or claim. Plain SQL, because the index thread uses it, too. */

export interface CapabilityPublisher {
  id: string;
  name: string;
  /** How it is known: published here, or claimed with a file in its repository. */
  by: 'published' | 'repository_file' | 'wallet';
  /** When the claim was verified, or when it was first published here. */
  since: string;
}

interface Row extends CapabilityPublisher {
  stands_id: string;
  user_id: string | null;
  /** The listing that the claim was made for, and its file. */
  provider_id: string;
  external_id: string;
  file_url: string;
}

/**
 * Publishers of current capabilities, by id; unclaimed ones are absent. A claim takes precedence over a publication that was
 * merged, because it is proved at the repository. If the listings name repositories of several accounts, no publisher is shown:
 * a merge with another account's listing must not make anyone its owner.
 */
export async function publishersOf(
  connection: Pick<Connection, 'query'>,
  ids: readonly string[],
): Promise<Map<string, CapabilityPublisher>> {
  const found = new Map<string, CapabilityPublisher>();
  const rows = await rowsOf(connection, ids);
  const claimed = [...new Set(rows.filter(({ by }) => by !== 'published').map(({ stands_id }) => stands_id))];
  const listed = Map.groupBy(await inChunks<Listed>(connection, LISTED, claimed), (inChunk) => inChunk.stands_id);
  for (const row of rows) {
    const { stands_id, id, name, by, since } = row;
    if (by !== 'published' && !speaksForAll(row, listed.get(stands_id) ?? [])) continue;
    if (!found.has(stands_id)) found.set(stands_id, { id, name, by, since });
  }
  return found;
}

interface Listed extends Pick<ListingRow, 'provider_id' | 'external_id' | 'repository' | 'homepage' | 'install'> {
  stands_id: string;
}

/** Whether its listing still names the file's repository, and no other listing names a repository of another account. */
function speaksForAll({ provider_id, external_id, file_url }: Row, members: readonly Listed[]): boolean {
  const places = members.map((member) => ({ member, place: placeOf({ ...member, manifest: null }) }));
  const own = places.find(
    ({ member }) => member.provider_id === provider_id && member.external_id === external_id,
  )?.place;
  if (own == null || !file_url.includes(`/${own.repository}/`)) return false;
  const account = accountOf(own);
  return places.every(({ place }) => place === null || accountOf(place) === account);
}

const accountOf = ({ host, repository }: Place): string => `${host}/${repository.slice(0, repository.indexOf('/'))}`;

/** The accounts that published or claimed each capability. Their own runs do not count as evidence. */
export async function publisherUserIds(
  connection: Pick<Connection, 'query'>,
  ids: readonly string[],
): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (const { stands_id, user_id } of await rowsOf(connection, ids))
    if (user_id !== null) found.set(stands_id, (found.get(stands_id) ?? new Set()).add(user_id));
  return found;
}

const rowsOf = async (connection: Pick<Connection, 'query'>, ids: readonly string[]): Promise<Row[]> => [
  ...(await inChunks<Row>(connection, CLAIMED, ids)),
  ...(await inChunks<Row>(connection, PUBLISHED, ids)),
];

const CLAIMED = `SELECT c.stands_id, p.id, p.name, p.user_id, k.method AS "by", k.verified_at AS since,
    k.provider_id, k.external_id, k.file_url
  FROM capabilities c
  JOIN capability_claims k ON k.provider_id = c.provider_id AND k.external_id = c.external_id AND k.status = 'verified'
  JOIN publishers p ON p.id = k.publisher_id AND p.closed_at IS NULL
  WHERE c.stands_id IN (#) ORDER BY k.verified_at, k.id`;

const LISTED = `SELECT c.stands_id, l.provider_id, l.external_id, l.repository, l.homepage, l.install
  FROM capabilities c
  JOIN listings l ON l.provider_id = c.provider_id AND l.external_id = c.external_id AND l.removed_at IS NULL
  WHERE c.stands_id IN (#)`;

const PUBLISHED = `SELECT c.stands_id, p.id, p.name, p.user_id, 'published' AS "by", l.created_at AS since,
    '' AS provider_id, '' AS external_id, '' AS file_url
  FROM capabilities c
  JOIN published_listings l ON c.provider_id = 'capstan' AND l.id = c.external_id
  JOIN publishers p ON p.id = l.publisher_id AND p.closed_at IS NULL
  WHERE c.stands_id IN (#) ORDER BY l.created_at, l.id`;
