import { launchFault } from '../../../src/catalog/install/launch-endpoint.ts';
import { type Launch, launchesOf } from '../../../src/catalog/install/launches.ts';
import { packageRefusals } from '../../../src/runtime/packaged/refuse-package.ts';
import type { Context } from '../context.ts';
import { Failure, usage } from '../failure.ts';
import { listingOf } from '../install/listing-of.ts';
import { listedRefOf } from '../ref.ts';
import { launchOfPurl } from './purl.ts';
import { type LocalConfig, readSettings, withRegistry } from './settings.ts';

/** The server that a reference names, and how its package is started. */
export interface LocalServer {
  /** As the user wrote it. */
  text: string;
  /** For entries in clients. */
  name: string;
  /** `provider/external_id`; null for a package URL. */
  listing: string | null;
  /** Of the listing. */
  version: string;
  launch: Launch;
}

/** `index` is which of the listing's packages, from 0; without one, the first that can be run here. */
export async function serverOf(
  context: Pick<Context, 'world' | 'open'>,
  text: string,
  index: number | undefined,
): Promise<{ server: LocalServer; config: LocalConfig }> {
  const { world, open } = context;
  const settings = readSettings(world);
  if (text.startsWith('pkg:')) {
    const launch = launchOfPurl(text);
    const name = launch.package.identifier.split('/').at(-1) ?? 'server';
    const server = { text, name, listing: null, version: launch.package.version, launch };
    return { server, config: await withRegistry(settings, world, launch.package) };
  }
  const ref = listedRefOf(text);
  if (ref.kind === 'skill')
    throw usage(`${text} is a skill, and this command is for servers.`, `Run it: capstan run ${text}.`);
  const { capstan } = await open();
  const { provider, id } = await listingOf(capstan, ref);
  const item = await capstan.items.get({ provider, id });
  const launches = launchesOf(item.install);
  if (launches.length === 0) throw notPackaged(text, item.listing_type);
  const { launch, config } = await chosen({ launches, index, settings, world });
  const listing = `${provider}/${id}`;
  return { server: { text, name: item.installs.name || item.name, listing, version: item.version, launch }, config };
}

interface Choice {
  launches: readonly Launch[];
  index: number | undefined;
  settings: LocalConfig;
  world: Context['world'];
}

async function chosen({ launches, index, settings, world }: Choice): Promise<{ launch: Launch; config: LocalConfig }> {
  const one = index === undefined ? undefined : launches[index];
  if (index !== undefined && one === undefined)
    throw usage(`The listing has ${launches.length} packages; there is none with the index ${index}.`, 'Count from 0.');
  const refusals: string[] = [];
  for (const launch of one === undefined ? launches : [one]) {
    const config = await withRegistry(settings, world, launch.package);
    const refusal = launchFault(launch) ?? packageRefusals(config)(launch);
    if (refusal === null) return { launch, config };
    refusals.push(refusal);
  }
  throw new Failure('cli.package', refusals[0] ?? 'The package cannot be run here.', {
    fix: 'Choose another server, or connect through the service: capstan connections add.',
  });
}

function notPackaged(text: string, listingType: string): Failure {
  const detail =
    listingType === 'server'
      ? `${text} has no package; the server runs at its own address.`
      : `${text} is a ${listingType}; --local runs servers from packages.`;
  const fix = listingType === 'server' ? `Connect to it: capstan connect ${text}` : 'Run it without --local.';
  return new Failure('cli.package', detail, { fix });
}
