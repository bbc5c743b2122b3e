import type { Kysely } from 'kysely';
import { type RefusePackage, serverOf } from '#catalog/install/server-of.ts';
import {
  type PackageFacts,
  type ReadRunnable,
  type Runnable,
  type RunnableReason,
  withoutProbe,
} from '#catalog/items/runnable.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import type { ProbeTargetRow } from '#core/db/schema-probes.ts';
import { isPackage, type ProbeTarget, probeTargetOf, targetText } from './probe-target.ts';
import { findTarget, toolsOfTarget } from './read-probes.ts';
import { targetId } from './targets.ts';
import { toolChangesOf } from './tool-history.ts';

/** Why a listing can or cannot be run: from the listing itself if that is enough, or else from the last probe. */

/** What of a listing shows whether it can run. */
export type ListedRow = Pick<
  ListingRow,
  'provider_id' | 'external_id' | 'version' | 'repository' | 'execution_class' | 'install'
>;

export interface RunnableDeps {
  db: Kysely<Schema>;
  /** Whether probes are switched on. */
  is_on: boolean;
  /** Whether packages are started for probes. */
  packages_on: boolean;
  /** Why a skill's files cannot be fetched; null if they can. */
  whyNoFiles(row: ListedRow): string | null;
  /** Why a package cannot be started here; null if it can. */
  refusePackage: RefusePackage;
}

export const readRunnable =
  (deps: RunnableDeps): ReadRunnable =>
  async (row) => {
    const shown = listed(deps, row);
    const found = shown.target_id === null ? undefined : await findTarget(deps.db, shown.target_id);
    const toolCount = found?.tool_count ?? null;
    return {
      runnable: runnableOf(shown, found),
      tools: found === undefined || toolCount === null ? null : await toolsOfTarget(deps.db, found.id),
      tool_changes: row.execution_class === 'mcp' ? await toolChangesOf(deps.db, row) : [],
    };
  };

interface Listed {
  /** Null if there is nothing to probe. */
  target_id: string | null;
  /** The answer without a probe. */
  unprobed: Runnable;
}

/** What the listing shows alone. */
export function listed(deps: Omit<RunnableDeps, 'db'>, row: ListedRow): Listed {
  if (row.execution_class !== 'mcp') return { target_id: null, unprobed: ofFiles(deps.whyNoFiles(row)) };
  const { target, unprobed } = serverListed(deps, row);
  return { target_id: target === null ? null : targetId(targetText(target)), unprobed };
}

/** With the last probe, if there was one. */
export const runnableOf = ({ unprobed }: Listed, found: ProbeTargetRow | undefined): Runnable =>
  found === undefined || found.last_probed_at === null
    ? unprobedAs(unprobed, found?.detail)
    : probedAs(found, unprobed);

function serverListed(
  { is_on, packages_on, refusePackage }: Omit<RunnableDeps, 'db'>,
  { install }: Pick<ListingRow, 'install'>,
): { target: ProbeTarget | null; unprobed: Runnable } {
  const server = serverOf(install === null ? null : JSON.parse(install), refusePackage);
  const target = probeTargetOf(server);
  if ('reason' in server) return { target, unprobed: withoutProbe(server.reason, server.detail).runnable };
  if (target !== null && isPackage(target)) {
    const { registry_type } = target.package;
    const detail = `${startedFrom(registry_type)} ${packages_on ? 'It has not been tried here yet.' : PACKAGES_OFF}`;
    return { target, unprobed: withoutProbe('startable', detail).runnable };
  }
  return { target, unprobed: withoutProbe(null, is_on ? NOT_YET : SWITCHED_OFF).runnable };
}

/** Where an operator excludes a host, its row says so. */
const unprobedAs = (unprobed: Runnable, stored: string | undefined): Runnable =>
  stored === undefined || stored === '' || unprobed.reason !== null ? unprobed : withoutProbe(null, stored).runnable;

function probedAs(found: ProbeTargetRow, { reason, detail }: Runnable): Runnable {
  const { last_probed_at, last_seen_at, protocol_version, tools_hash, tool_count } = found;
  const facts = {
    checked_at: last_probed_at,
    last_seen_at,
    protocol_version,
    tools_hash,
    tool_count,
    package: found.package_facts === null ? null : (JSON.parse(found.package_facts) as PackageFacts),
  };
  // Required values stay required, whatever a start without them showed. Values do not help a package that cannot be prepared.
  const isPrepared = facts.package !== null;
  if (reason === 'missing_env' && isPrepared)
    return {
      reason,
      detail: found.reason === 'ok' ? `${detail} It starts and lists its tools without them.` : detail,
      ...facts,
    };
  return { reason: found.reason as RunnableReason | null, detail: found.detail, ...facts };
}

const ofFiles = (why: string | null): Runnable =>
  (why === null ? withoutProbe(null, 'Its files are fetched for each run.') : withoutProbe('unsupported', why))
    .runnable;

const startedFrom = (ecosystem: string): string => `The server is started from its ${ecosystem} package for each run.`;

const NOT_YET = 'Its server has not been probed yet.';
const SWITCHED_OFF = 'Not probed: probes are switched off on this service.';
const PACKAGES_OFF = 'It was not tried: packages are not probed on this service.';
