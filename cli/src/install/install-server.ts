import { join } from 'node:path';
import type { Answer } from '../../../sdk/src/index.ts';
import type { Service } from '../command.ts';
import { EXIT, Failure, usage } from '../failure.ts';
import type { World } from '../world.ts';
import { carryOut } from './carry-out.ts';
import { clientsPresent } from './clients-present.ts';
import type { Done, InstallAsked, Step } from './done.ts';
import { entryAt, isSameEntry, type Place, withEntry } from './edit.ts';
import { readText, writeText } from './files.ts';
import type { Change } from './journal.ts';
import { listingOf } from './listing-of.ts';

type Installs = Answer<'catalog.items.get'>['installs'];
type ClientInstall = Installs['clients'][number];

/** Writes a listed server into clients' configurations: all of them, or, where one cannot be, none. */
export async function installServer(service: Service, asked: InstallAsked): Promise<Done> {
  const { world, capstan } = service;
  const { installs, listing_type } = await capstan.items.get(await listingOf(capstan, asked.ref));
  const hasClients = installs.clients.length > 0;
  const { steps, changes } = hasClients
    ? await planEntries(world, installs.clients, asked.name ?? installs.name, asked)
    : { steps: [byHand(installs, listing_type, asked.text)], changes: [] };
  return carryOut(service, asked, { steps, changes }, ({ file, after }) => writeText(file, after));
}

/** What is written into the clients that were chosen, or that are on this machine. */
export async function planEntries(
  world: World,
  clients: ClientInstall[],
  name: string,
  asked: Pick<InstallAsked, 'client' | 'project' | 'force'>,
): Promise<{ steps: Step[]; changes: EntryChange[] }> {
  const plans = await Promise.all(choose(world, clients, asked).map((entry) => planOf(world, entry, name, asked)));
  return { steps: plans.map(({ step }) => step), changes: plans.flatMap(({ change }) => change ?? []) };
}

function byHand({ command }: Installs, listingType: string, text: string): Step {
  if (command !== '') return { client: 'any', action: 'run_yourself', place: '', detail: command };
  throw new Failure('cli.install', `No installation instructions are known for this ${listingType}.`, {
    fix: `Run capstan show ${text} to see its sources.`,
  });
}

function choose(
  world: World,
  all: ClientInstall[],
  { client, project }: Pick<InstallAsked, 'client' | 'project'>,
): ClientInstall[] {
  const can = all.filter(({ config }) => fileOf(world, config, project) !== null);
  const names = can.map((entry) => entry.client).join(', ');
  const unknown = client.find((client) => !can.some((other) => other.client === client));
  if (unknown !== undefined)
    throw usage(
      `${unknown} does not support it${project ? ' for a single project' : ''}.`,
      `Supported clients: ${names}.`,
    );
  if (client.length > 0) return can.filter((entry) => client.includes(entry.client));
  const present = clientsPresent(world).map((entry) => entry.client);
  const chosen = can.filter((entry) => present.includes(entry.client));
  if (chosen.length === 0)
    throw usage('No supported client found on this machine.', `Name one with --client: ${names}.`);
  return chosen;
}

function fileOf(world: World, config: ClientInstall['config'], isProject: boolean): string | null {
  if (config === null) return null;
  const file = isProject ? config.project_file : config.user_file;
  if (file === '') return null;
  if (!isConfigFile(file, config)) throw unfit(file);
  return join(isProject ? world.cwd : world.home, file);
}

const ENDINGS: Record<string, RegExp> = { json: /\.jsonc?$/, toml: /\.toml$/, yaml: /\.ya?ml$/ };

/** Whatever the service says: a file below the folder, of the form that it is written in, and a list of servers in it. */
const isConfigFile = (file: string, { format, key }: { format: string; key: string }): boolean =>
  ENDINGS[format]?.test(file) === true &&
  file.split('/').every((segment) => /^[\w .-]+$/.test(segment) && segment !== '.' && segment !== '..') &&
  /^(?:\w*servers|extensions)$/i.test(key);

const unfit = (file: string): Failure =>
  new Failure('cli.path', `${JSON.stringify(file)} is not a known client configuration file.`, {
    fix: 'Nothing was written. Check that you trust this service.',
  });

type EntryChange = Extract<Change, { kind: 'entry' }>;

interface Plan {
  step: Step;
  change: EntryChange | null;
}

async function planOf(
  world: World,
  { client, config }: ClientInstall,
  name: string,
  asked: Pick<InstallAsked, 'project' | 'force'>,
): Promise<Plan> {
  const { format, key, value } = config as NonNullable<typeof config>;
  const file = fileOf(world, config, asked.project) as string;
  const place: Place = { format, key, name };
  const before = await readText(file);
  const stands = entryAt(before ?? '', place);
  if (isSameEntry(stands, value))
    return { step: { client, action: 'kept', place: file, detail: 'Already installed.' }, change: null };
  if (stands !== undefined && !asked.force)
    throw new Failure('cli.exists', `${file} already has a different server under ${key}.${name}.`, {
      exit_code: EXIT.conflict,
      fix: 'Choose another name with --name, or replace it with --force. Nothing was written.',
    });
  const after = withEntry(before ?? '', place, value);
  const detail = `${key}.${name} = ${JSON.stringify(value)}`;
  return {
    step: { client, action: 'written', place: file, detail },
    change: { kind: 'entry', file, place, value, before, after },
  };
}
