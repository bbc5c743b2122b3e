import { faultOfValue, launchFields, launchTarget } from '../../../src/catalog/install/launch-target.ts';
import type { PackageTarget } from '../../../src/core/mcp/target.ts';
import { hostFault } from '../../../src/runtime/packaged/host-grants.ts';
import type { Context } from '../context.ts';
import { usage } from '../failure.ts';
import { collectValues, type GivenValues } from '../values.ts';
import type { LocalServer } from './server-of.ts';
import { givenPaths, sharedPaths } from './shared-paths.ts';

export interface GivenStart extends GivenValues {
  host: readonly string[];
  /** Files and folders that the server may read. */
  share: readonly string[];
}

/** What the server is started with: the listing's own inputs, filled in, and the granted hosts. */
export async function targetOf(
  context: Context,
  { launch, listing }: LocalServer,
  given: GivenStart,
): Promise<PackageTarget> {
  const hosts = checkHosts(given.host);
  const fields = launchFields(launch);
  const { values, secrets } = await collectValues(context, given, fields);
  const all = { ...values, ...secrets };
  if (listing === null) {
    const wrong = Object.keys(all).find((name) => !/^[A-Za-z_]\w{0,199}$/.test(name));
    if (wrong !== undefined)
      throw usage(`${wrong} is not the name of an environment variable.`, 'Use --var NAME=value.');
    const { target } = launchTarget(launch, {}, hosts);
    return withFolders(
      context,
      { ...target, env: all, secrets: Object.values(secrets) },
      await givenPaths(context, given.share),
    );
  }
  for (const [name, value] of Object.entries(all)) {
    const field = fields.find((known) => known.name === name);
    if (field === undefined) throw unknownName(name, fields);
    const fault = faultOfValue(field, value);
    if (fault !== null) throw usage(`${name} ${fault}.`, `Use --${field.secret ? 'secret' : 'var'} ${name}=…`);
  }
  const shared = await sharedPaths(context, fields, all);
  const { target, missing, exposed } = launchTarget(launch, Object.assign(all, shared.values), hosts);
  if (missing.length > 0)
    throw usage(
      `The server requires ${missing.join(', ')}.`,
      `Use --var ${missing[0]}=value, or --secret ${missing[0]}=@file.`,
    );
  if (exposed.length > 0)
    context.say(`note: ${exposed.join(', ')} is passed as an argument, which other programs of this machine can read.`);
  const whole = { ...target, secrets: [...new Set([...target.secrets, ...Object.values(secrets)])] };
  return withFolders(context, whole, [...shared.folders, ...(await givenPaths(context, given.share))]);
}

function withFolders({ say }: Context, target: PackageTarget, paths: readonly string[]): PackageTarget {
  if (paths.length === 0) return target;
  const folders = [...new Set(paths)];
  say(`note: the server may read ${folders.join(', ')}, and write nothing there.`);
  return { ...target, folders };
}

export function checkHosts(given: readonly string[]): string[] {
  for (const host of given) {
    const fault = hostFault(host);
    if (fault !== null) throw usage(`--host ${host}: ${fault}.`, 'For example: --host api.example.com.');
  }
  return [...new Set(given.map((host) => host.toLowerCase()))];
}

function unknownName(name: string, fields: readonly { name: string }[]) {
  const known = fields.map((field) => field.name).join(', ');
  return usage(
    `The server accepts no value named ${name}.`,
    known === '' ? 'It accepts no values.' : `It accepts: ${known}.`,
  );
}
