import type { PackagedWish } from '#core/mcp/packaged-servers.ts';
import type { McpTarget } from '#core/mcp/target.ts';
import { plain } from '#core/tools/words.ts';
import { type LaunchField, launchFields, launchTarget } from './launch-target.ts';
import { type Launch, launchesOf } from './launches.ts';
import { type NoRemote, remoteOf } from './remote-of.ts';

/** The server of a listing that anybody may use at once: at its address, or started from its package. */

/** Why such a package is not run here; null where it may be. */
type RefusePackage = (wanted: PackagedWish) => string | null;

/** Why nobody can use the server without giving more than its listing says. */
interface NoServer extends NoRemote {
  /** Values that make it run: it is connected to with these. */
  fields?: LaunchField[];
}

/** The address where there is one for everybody, else the first package that needs nothing. */
export function serverOf(install: Record<string, unknown> | null, refuse: RefusePackage): McpTarget | NoServer {
  const remote = remoteOf(install);
  const launches = launchesOf(install);
  if (!('reason' in remote) || launches.length === 0) return remote;
  const packaged = packagedOf(launches, refuse);
  if (!('reason' in packaged)) return packaged;
  // What an address wants is less than what a package wants that cannot be run here.
  return packaged.reason === 'unsupported' && isReached(install) ? remote : packaged;
}

const isReached = (install: Record<string, unknown> | null): boolean =>
  Array.isArray(install?.remotes) && install.remotes.length > 0;

function packagedOf(launches: readonly Launch[], refuse: RefusePackage): McpTarget | NoServer {
  const found = launches.map((launch) => launchOf(launch, refuse));
  return (
    found.find((each): each is McpTarget => !('reason' in each)) ??
    found.find((each) => 'reason' in each && each.reason === 'missing_env') ??
    (found[0] as NoServer)
  );
}

const MOST_NAMES = 5;

function launchOf(launch: Launch, refuse: RefusePackage): McpTarget | NoServer {
  const refusal = refuse(launch);
  if (refusal !== null) return { reason: 'unsupported', detail: refusal };
  const { target, missing } = launchTarget(launch, {}, []);
  if (missing.length === 0) return target;
  const names = missing.slice(0, MOST_NAMES).map((name) => plain(name, 100));
  const rest = missing.length > MOST_NAMES ? ` and ${missing.length - MOST_NAMES} more` : '';
  return {
    reason: 'missing_env',
    detail: `The server is started from a package and requires ${names.join(', ')}${rest}.`,
    fields: launchFields(launch),
  };
}
