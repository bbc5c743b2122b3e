import type { Connection } from '../../../platform/db/connection.ts';
import { inChunks } from '../moderation/standing-of.ts';

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
}

/**
 * Of capabilities that stand, by id; those that nobody has claimed are left out. A claim says more than a publication
 * that was merged into what others list: it is proved at the repository.
 */
export async function publishersOf(
  connection: Pick<Connection, 'query'>,
  ids: readonly string[],
): Promise<Map<string, CapabilityPublisher>> {
  const found = new Map<string, CapabilityPublisher>();
  for (const { stands_id, user_id: _, ...publisher } of await rowsOf(connection, ids))
    if (!found.has(stands_id)) found.set(stands_id, publisher);
  return found;
}

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

const CLAIMED = `SELECT c.stands_id, p.id, p.name, p.user_id, k.method AS "by", k.verified_at AS since
  FROM capabilities c
  JOIN capability_claims k ON k.capability_id = c.id AND k.status = 'verified'
  JOIN publishers p ON p.id = k.publisher_id AND p.closed_at IS NULL
  WHERE c.stands_id IN (#) ORDER BY k.verified_at, k.id`;

const PUBLISHED = `SELECT c.stands_id, p.id, p.name, p.user_id, 'published' AS "by", l.created_at AS since
  FROM capabilities c
  JOIN published_listings l ON c.provider_id = 'capstan' AND l.id = c.external_id
  JOIN publishers p ON p.id = l.publisher_id AND p.closed_at IS NULL
  WHERE c.stands_id IN (#) ORDER BY l.created_at, l.id`;
