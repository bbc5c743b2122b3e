import type { Connection } from '#core/db/connection.ts';
import { inChunks } from '#marketplace/moderation/standing-of.ts';

/** Digests of the SKILL.md of capabilities, where it was fetched. Equal ones are copies. */

/** Of several listings that were merged. */
const MOST = 8;
/** Shorter texts are templates. */
const LEAST_BYTES = 400;

export async function skillDigestsOf(
  connection: Pick<Connection, 'query'>,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await inChunks<{ stands_id: string; digest: string }>(connection, SELECT, ids);
  return new Map(
    [...Map.groupBy(rows, ({ stands_id }) => stands_id)].map(([id, some]) => [
      id,
      [...new Set(some.map(({ digest }) => digest))].sort().slice(0, MOST),
    ]),
  );
}

const SELECT = `SELECT c.stands_id, d.digest FROM capabilities c
  JOIN listing_documents d ON d.provider_id = c.provider_id AND d.external_id = c.external_id AND d.kind = 'skill'
  WHERE d.bytes >= ${LEAST_BYTES} AND c.stands_id IN (#)`;
