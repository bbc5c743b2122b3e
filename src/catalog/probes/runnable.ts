import type { Kysely } from 'kysely';
import { type RefusePackage, serverOf } from '#catalog/install/server-of.ts';
import {
  type PackageFacts,
  type Ran,
  type ReadRunnable,
  type RunnableReason,
  withoutProbe,
} from '#catalog/items/runnable.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import type { ProbeTargetRow } from '#core/db/schema-probes.ts';
import { isPackage, type ProbeTarget, probeTargetOf, targetText } from './probe-target.ts';
import { findTarget, toolsOfTarget } from './read-probes.ts';
import { targetId } from './targets.ts';

/** Why a listing can or cannot be run: from the listing itself if that is enough, or else from the last probe. */

export interface RunnableDeps {
  db: Kysely<Schema>;
  /** Whether probes are switched on. */
  is_on: boolean;
  /** Whether packages are started for probes. */
  packages_on: boolean;
  /** Why a skill's files cannot be fetched; null if they can. */
  whyNoFiles(row: ListingRow): string | null;
  /** Why a package cannot be started here; null if it can. */
  refusePackage: RefusePackage;
}

export const readRunnable =
  (deps: RunnableDeps): ReadRunnable =>
  async (row) => {
    if (row.execution_class !== 'mcp') return ofFiles(deps.whyNoFiles(row));
    const { target, unprobed } = listed(deps, row);
    if (target === null) return unprobed;
    const found = await findTarget(deps.db, targetId(targetText(target)));
    if (found === undefined || found.last_probed_at === null) return unprobedAs(unprobed, found?.detail);
    const { tool_count } = found;
    return {
      runnable: probedAs(found, unprobed),
      tools: tool_count === null ? null : await toolsOfTarget(deps.db, found.id),
    };
  };

interface Listed {
  target: ProbeTarget | null;
  /** The answer without a probe. */
  unprobed: Ran;
}

/** What the listing shows alone. */
function listed(
  { is_on, packages_on, refusePackage }: Pick<RunnableDeps, 'is_on' | 'packages_on' | 'refusePackage'>,
  { install }: Pick<ListingRow, 'install'>,
): Listed {
  const server = serverOf(install === null ? null : JSON.parse(install), refusePackage);
  const target = probeTargetOf(server);
  if ('reason' in server) return { target, unprobed: withoutProbe(server.reason, server.detail) };
  if (target !== null && isPackage(target)) {
    const { registry_type } = target.package;
    const detail = `${startedFrom(registry_type)} ${packages_on ? 'It has not been tried here yet.' : PACKAGES_OFF}`;
    return { target, unprobed: withoutProbe('startable', detail) };
  }
  return { target, unprobed: withoutProbe(null, is_on ? NOT_YET : SWITCHED_OFF) };
}

/** Where an operator excludes a host, its row says so. */
const unprobedAs = (unprobed: Ran, stored: string | undefined): Ran =>
  stored === undefined || stored === '' || unprobed.runnable.reason !== null ? unprobed : withoutProbe(null, stored);

function probedAs(found: ProbeTargetRow, { runnable: { reason, detail } }: Ran): Ran['runnable'] {
  const { last_probed_at, last_seen_at, protocol_version, tools_hash, tool_count } = found;
  const facts = {
    checked_at: last_probed_at,
    last_seen_at,
    protocol_version,
    tools_hash,
    tool_count,
    package: found.package_facts === null ? null : (JSON.parse(found.package_facts) as PackageFacts),
  };
  // Required values stay required, whatever a start without them showed.
  if (reason === 'missing_env')
    return {
      reason,
      detail: found.reason === 'ok' ? `${detail} It starts and lists its tools without them.` : detail,
      ...facts,
    };
  return { reason: found.reason as RunnableReason | null, detail: found.detail, ...facts };
}

const ofFiles = (why: string | null) =>
  why === null ? withoutProbe(null, 'Its files are fetched for each run.') : withoutProbe('unsupported', why);

const startedFrom = (ecosystem: string): string => `The server is started from its ${ecosystem} package for each run.`;

const NOT_YET = 'Its server has not been probed yet.';
const SWITCHED_OFF = 'Not probed: probes are switched off on this service.';
const PACKAGES_OFF = 'It was not tried: packages are not probed on this service.';
