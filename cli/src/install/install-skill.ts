import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Capstan } from '../../../sdk/src/index.ts';
import type { Service } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure, usage } from '../failure.ts';
import type { Owned } from '../ref.ts';
import { carryOut } from './carry-out.ts';
import { clientsPresent } from './clients-present.ts';
import type { Done, InstallAsked } from './done.ts';
import { type Content, sha256Of, writeFolder } from './files.ts';
import { SKILL_CLIENTS, skillFolder } from './skill-folders.ts';

/** Writes a skill of the service, or one that is published there, where clients look for skills: digests held. */
export async function installSkill(service: Service, asked: InstallAsked<Owned>): Promise<Done> {
  const { world, capstan } = service;
  const { kind, ref } = asked.ref;
  const skill = kind === 'skill' ? await ownSkill(capstan, ref) : await published(capstan, ref);
  const scope = asked.project ? 'project' : 'user';
  // Some clients look into the same folder.
  const folders = new Map(
    choose(service, asked).map((client) => [
      skillFolder(world, client, scope, asked.name ?? skill.name) as string,
      client,
    ]),
  );
  return writeFiles(service, asked, skill, folders);
}

/** Where rigs and harnesses go: they belong to a project, not to a client. */
const PROJECT_FOLDERS = { rig: 'rigs', harness: 'harnesses' } as const;

/** Writes a published rig, with its rig.lock, or a published harness into the project in this folder. */
export async function installInProject(
  service: Service,
  asked: InstallAsked<Owned>,
  type: keyof typeof PROJECT_FOLDERS,
): Promise<Done> {
  if (asked.client.length > 0)
    throw usage(`A ${type} is installed into the project, not into a client.`, 'Remove --client.');
  const found = await published(service.capstan, asked.ref.ref);
  const folder = join(service.world.cwd, PROJECT_FOLDERS[type], folderName(asked.name ?? found.name));
  return writeFiles(service, asked, found, new Map([[folder, 'project']]));
}

async function writeFiles(
  service: Service,
  asked: InstallAsked<Owned>,
  skill: Skill,
  folders: ReadonlyMap<string, string>,
): Promise<Done> {
  const taken = [...folders.keys()].find((folder) => existsSync(folder));
  if (taken !== undefined)
    throw new Failure('cli.exists', `${taken} already exists.`, {
      exit_code: EXIT.conflict,
      fix: 'Move it away, or choose another name with --name. Nothing was written.',
    });
  const files = await fetchAll(service, skill);
  const detail = files.map(({ path, bytes }) => `${path} (${bytes.length} bytes)`).join('\n');
  const steps = [...folders].map(([folder, client]) => ({ client, action: 'written' as const, place: folder, detail }));
  const listed = skill.files.map(({ path, sha256 }) => ({ path, sha256 }));
  const changes = [...folders.keys()].map((folder) => ({ kind: 'files' as const, folder, files: listed }));
  return carryOut(service, asked, { steps, changes }, ({ folder }) => writeFolder(folder, files));
}

function choose({ world }: Context, { client }: InstallAsked): string[] {
  const unknown = client.find((skillClient) => !SKILL_CLIENTS.includes(skillClient));
  if (unknown !== undefined)
    throw usage(`${unknown} does not support skills.`, `Supported clients: ${SKILL_CLIENTS.join(', ')}.`);
  if (client.length > 0) return client;
  const present = clientsPresent(world)
    .map((entry) => entry.client)
    .filter((skillClient) => SKILL_CLIENTS.includes(skillClient));
  return present.length === 0 ? ['any'] : present;
}

interface Skill {
  name: string;
  files: readonly { path: string; sha256: string }[];
  read(path: string): Promise<Uint8Array | string>;
}

async function ownSkill({ skills }: Capstan, name: string): Promise<Skill> {
  const { files } = await skills.get({ name });
  return { name, files, read: (path) => skills.getFile({ name, path }) };
}

async function published({ listings }: Capstan, asked: string): Promise<Skill> {
  const { name, sources } = await listings.get({ id: asked });
  // Others may list it too; the files are those that are kept here.
  const own = sources.find(({ provider }) => provider === 'capstan');
  if (own === undefined)
    throw new Failure('cli.install', 'The service does not have the files of this skill.', {
      fix: `Run capstan show ${asked} to see its sources.`,
    });
  const { external_id: id, version } = own;
  const { files, digest } = await listings.getVersion({ id, version });
  const read = (path: string) => listings.getFile({ id, version, path, digest });
  return { name: folderName(name.slice(name.lastIndexOf('/') + 1)), files, read };
}

/** It becomes a folder. */
function folderName(name: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,99}$/.test(name)) return name;
  throw new Failure('cli.path', `${JSON.stringify(name)} is not a valid folder name.`, {
    fix: 'Nothing was written. Choose another name with --name.',
  });
}

const AT_ONCE = 6;

/** Each as its digest says. */
function fetchAll({ during }: Context, { name, files, read }: Skill): Promise<Content[]> {
  return during(`fetching ${name}`, async (tell) => {
    const had = new Map<string, Content>();
    const waiting = [...files];
    const work = async () => {
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        had.set(file.path, held(file, await read(file.path)));
        tell({ done: had.size, total: files.length });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return files.map(({ path }) => had.get(path) as Content);
  });
}

function held({ path, sha256 }: { path: string; sha256: string }, had: Uint8Array | string): Content {
  const bytes = typeof had === 'string' ? new TextEncoder().encode(had) : new Uint8Array(had);
  if (sha256Of(bytes) === sha256) return { path, bytes, sha256 };
  throw new Failure('cli.digest', `${path} does not match its digest.`, {
    fix: 'Nothing was written. Try again, or contact the operator.',
  });
}
