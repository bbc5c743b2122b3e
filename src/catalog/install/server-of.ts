import type { PackagedWish } from '#core/mcp/packaged-servers.ts';
import type { McpTarget, PackageTarget } from '#core/mcp/target.ts';
import { plain } from '#core/tools/words.ts';
import { launchFault } from './launch-endpoint.ts';
import { declaresSettings, faultOfPath } from './launch-settings.ts';
import { faultOfValue, type LaunchField, launchFields, launchTarget } from './launch-target.ts';
import { type Launch, launchesOf } from './launches.ts';
import { type NoRemote, remoteOf } from './remote-of.ts';

/** The server of a listing that can be used without further input: at its address, or started from its package. */

/** Why a package cannot run here; null if it can. */
export type RefusePackage = (wanted: PackagedWish) => string | null;

/** Why the server cannot be used with what its listing says. */
interface NoServer extends NoRemote {
  /** The fields that a connection to it has to provide. */
  fields?: LaunchField[];
  /** The package without these values: some servers list their tools nevertheless. */
  without_values?: { target: PackageTarget; missing: string[] };
}

export type ListedServer = McpTarget | NoServer;

/** The first address that needs no input, or else the first package that needs none. */
export function serverOf(install: Record<string, unknown> | null, refuse: RefusePackage): ListedServer {
  const remote = remoteOf(install);
  const launches = launchesOf(install);
  if (!('reason' in remote) || launches.length === 0) return remote;
  const packaged = packagedOf(launches, refuse);
  if (!('reason' in packaged)) return packaged;
  // If the package cannot run here, report what the address needs.
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

/** The package of a listing with values for one run. */
export interface GivenPackage {
  /** The same without values of its user: what a run is pinned to. */
  base: PackageTarget;
  target: PackageTarget;
  /** Fields that still have no value. */
  missing: LaunchField[];
  /** Values that it does not take, each with the end of a sentence. */
  faults: { name: string; detail: string; is_field: boolean }[];
}

/**
 * Null where the server is called at its address, or no package can run here. Values go to the package that runs without any, or else
 * to the first: those that are not secret, because a run is stored with them.
 */
export function packageWith(
  install: Record<string, unknown> | null,
  refuse: RefusePackage,
  values: Readonly<Record<string, string>>,
): GivenPackage | null {
  if (!('reason' in remoteOf(install))) return null;
  const usable = launchesOf(install).filter((launch) => (refuse(launch) ?? launchFault(launch)) === null);
  const launch = usable.find((each) => launchTarget(each, {}, []).missing.length === 0) ?? usable[0];
  if (launch === undefined) return null;
  const fields = new Map(launchFields(launch).map((field) => [field.name, field]));
  const faults = Object.entries(values).flatMap(([name, value]) => {
    const detail = faultOf(launch, fields.get(name), value);
    return detail === null ? [] : [{ name, detail, is_field: fields.has(name) }];
  });
  const { target, missing } = launchTarget(launch, values, []);
  // What only the files of a bundle declare is read when it starts.
  const env = declaresSettings(launch) ? { ...values, ...target.env } : target.env;
  return {
    base: launchTarget(launch, {}, []).target,
    target: { ...target, env },
    missing: missing.flatMap((name) => fields.get(name) ?? []),
    faults,
  };
}

function faultOf(launch: Launch, field: LaunchField | undefined, value: string): string | null {
  if (field === undefined) return declaresSettings(launch) ? null : 'is not a value that this server takes';
  if (field.secret) return 'is a secret: connect to the server and store it there';
  return faultOfValue(field, value) ?? faultOfPath(field, value);
}

const MOST_NAMES = 5;

function launchOf(launch: Launch, refuse: RefusePackage): McpTarget | NoServer {
  const refusal = refuse(launch) ?? launchFault(launch);
  if (refusal !== null) return { reason: 'unsupported', detail: refusal };
  const { target, missing } = launchTarget(launch, {}, []);
  if (missing.length === 0) return target;
  const names = missing.slice(0, MOST_NAMES).map((name) => plain(name, 100));
  const rest = missing.length > MOST_NAMES ? ` and ${missing.length - MOST_NAMES} more` : '';
  return {
    reason: 'missing_env',
    detail: `The server is started from a package and requires ${names.join(', ')}${rest}.`,
    fields: launchFields(launch),
    without_values: { target, missing },
  };
}
