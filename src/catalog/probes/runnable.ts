import type { Kysely } from 'kysely';
import { remoteOf } from '#catalog/install/remote-of.ts';
import { type ReadRunnable, type RunnableReason, unvisited } from '#catalog/items/runnable.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import { findTarget, toolsOfTarget } from './read-probes.ts';
import { targetId, targetText } from './targets.ts';

/** Why a listing can or cannot be run now: from the listing alone where that is enough, else from the last visit. */

export interface RunnableDeps {
  db: Kysely<Schema>;
  /** Whether servers are visited at all. */
  is_on: boolean;
  /** Why the files of a skill cannot be had from anywhere; null where they may. */
  whyNoFiles(row: ListingRow): string | null;
}

export const readRunnable =
  ({ db, is_on, whyNoFiles }: RunnableDeps): ReadRunnable =>
  async (row) => {
    if (row.execution_class !== 'mcp') return ofFiles(whyNoFiles(row));
    const remote = remoteOf(row.install === null ? null : JSON.parse(row.install));
    if ('reason' in remote) return unvisited(remote.reason, remote.detail);
    const found = await findTarget(db, targetId(targetText(remote)));
    if (found === undefined || found.last_probed_at === null)
      return unvisited(null, found?.detail || (is_on ? NOT_YET : NOBODY));
    const { reason, detail, last_probed_at, last_seen_at, protocol_version, tools_hash, tool_count } = found;
    return {
      runnable: {
        reason: reason as RunnableReason | null,
        detail,
        checked_at: last_probed_at,
        last_seen_at,
        protocol_version,
        tools_hash,
        tool_count,
      },
      tools: tool_count === null ? null : await toolsOfTarget(db, found.id),
    };
  };

const ofFiles = (why: string | null) =>
  why === null ? unvisited(null, 'Its files are fetched when it is run.') : unvisited('unsupported', why);

const NOT_YET = 'Its server waits to be visited.';
const NOBODY = 'Nobody has looked: visiting servers is switched off here.';
