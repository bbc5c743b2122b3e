import type { Kysely } from 'kysely';
import { type RefusePackage, serverOf } from '#catalog/install/server-of.ts';
import { type ReadRunnable, type RunnableReason, withoutProbe } from '#catalog/items/runnable.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import { findTarget, toolsOfTarget } from './read-probes.ts';
import { targetId, targetText } from './targets.ts';

/** Why a listing can or cannot be run: from the listing itself if that is enough, or else from the last probe. */

export interface RunnableDeps {
  db: Kysely<Schema>;
  /** Whether probes are switched on. */
  is_on: boolean;
  /** Why a skill's files cannot be fetched; null if they can. */
  whyNoFiles(row: ListingRow): string | null;
  /** Why a package cannot be started here; null if it can. */
  refusePackage: RefusePackage;
}

export const readRunnable =
  ({ db, is_on, whyNoFiles, refusePackage }: RunnableDeps): ReadRunnable =>
  async (row) => {
    if (row.execution_class !== 'mcp') return ofFiles(whyNoFiles(row));
    const server = serverOf(row.install === null ? null : JSON.parse(row.install), refusePackage);
    if ('reason' in server) return withoutProbe(server.reason, server.detail);
    if (server.transport === 'stdio') return withoutProbe('startable', startedFrom(server.package.registry_type));
    const found = await findTarget(db, targetId(targetText(server)));
    if (found === undefined || found.last_probed_at === null)
      return withoutProbe(null, found?.detail || (is_on ? NOT_YET : SWITCHED_OFF));
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
  why === null ? withoutProbe(null, 'Its files are fetched for each run.') : withoutProbe('unsupported', why);

const startedFrom = (ecosystem: string): string => `The server is started from its ${ecosystem} package for each run.`;

const NOT_YET = 'Its server has not been probed yet.';
const SWITCHED_OFF = 'Not probed: probes are switched off on this service.';
