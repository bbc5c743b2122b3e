import type { Connection } from '#core/db/connection.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { inChunks } from '#marketplace/moderation/standing-of.ts';
import { type Place, placeOf } from './place.ts';

/** Who publishes or has claimed capabilities: plain SQL that the index's thread runs too. */

export interface CapabilityPublisher {
  id: string;
  name: string;
  /** How it is known: published here under the name, or claimed by a file of its repository. */
  by: 'published' | 'repository_file' | 'wallet';
  /** When the claim was verified; of what is published here when it was first. */
  since: string;
}

interface Row extends CapabilityPublisher {
  stands_id: string;
  user_id: string | null;
  /** Of the claim: the listing that it was made by, and its file. */
  provider_id: string;
  external_id: string;
  file_url: string;
}

/**
 * Of capabilities that stand, by id; those that nobody has claimed are left out. A claim says more than a publication
 * that was merged into what others list: it is proved at the repository. Where the listings name repositories of several
 * accounts, the proof of one says nothing of the whole, and nobody is shown for it: else whoever had a listing merged with
 * somebody else's would be taken for its owner.
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

/** Its listing names the repository still that holds the file, and no other listing that of another account. */
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

/** The accounts behind them, claimed and published together: their own runs prove nothing of a capability. */
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
