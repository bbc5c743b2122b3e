import { existsSync } from 'node:fs';
import type { Client } from '../client.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure, usage } from '../failure.ts';
import type { Ref } from '../ref.ts';
import { clientsPresent } from './clients-present.ts';
import type { Done, InstallAsked } from './done.ts';
import { type Content, sha256Of, writeFolder } from './files.ts';
import { remember } from './journal.ts';
import { SKILL_CLIENTS, skillFolder } from './skill-folders.ts';

/** Writes a skill of the service, or one that is published there, where clients look for skills: digests held. */
export async function installSkill(
  context: Context,
  { capstan, url }: Client,
  asked: InstallAsked & { ref: Ref; text: string },
): Promise<Done> {
  const { world } = context;
  const { name, files } =
    asked.ref.kind === 'skill' ? await ownSkill(capstan, asked.ref.name) : await published(capstan, asked.ref);
  const scope = asked.project === true ? 'project' : 'user';
  const folders = (await choose(context, asked)).map((client) => ({
    client,
    folder: skillFolder(world, client, scope, asked.name ?? name) as string,
  }));
  const taken = folders.find(({ folder }) => existsSync(folder));
  if (taken !== undefined)
    throw new Failure('cli.exists', `${taken.folder} is there already.`, {
      ...{
        exit_code: EXIT.conflict,
        fix: 'Take it away first, or choose another name with --name. Nothing was written.',
      },
    });
  const unique = [...new Map(folders.map((it) => [it.folder, it])).values()];
  const detail = files.map(({ path, bytes }) => `${path} (${bytes.length} bytes)`).join('\n');
  const steps = unique.map(({ client, folder }) => ({ client, action: 'written' as const, place: folder, detail }));
  const done = { ref: asked.text, dry_run: asked.dryRun === true, steps };
  if (done.dry_run) return { ...done, id: null };
  for (const { folder } of unique) await writeFolder(folder, files);
  const listed = files.map(({ path, sha256 }) => ({ path, sha256 }));
  const changes = unique.map(({ folder }) => ({ kind: 'files' as const, folder, files: listed }));
  const { id } = await remember(world, {
    ref: asked.text,
    url,
    client: unique.map(({ client }) => client).join(', '),
    changes,
  });
  return { ...done, id };
}

async function choose({ world }: Context, { client }: InstallAsked): Promise<string[]> {
  const unknown = client.find((it) => !SKILL_CLIENTS.includes(it));
  if (unknown !== undefined)
    throw usage(`${unknown} is not known to take skills.`, `It is had by ${SKILL_CLIENTS.join(', ')}.`);
  if (client.length > 0) return client;
  const present = (await clientsPresent(world)).map((it) => it.client).filter((it) => SKILL_CLIENTS.includes(it));
  return present.length === 0 ? ['any'] : present;
}

interface Skill {
  name: string;
  files: Content[];
}

async function ownSkill(capstan: Client['capstan'], name: string): Promise<Skill> {
  const { files } = await capstan.skills.getSkill({ name });
  return { name, files: await fetchAll(files, (path) => capstan.skills.getSkillFile({ name, path })) };
}

async function published(capstan: Client['capstan'], ref: Ref): Promise<Skill> {
  const { id, name, version } = await capstan.marketplace.getListing({ id: ref.kind === 'capability' ? ref.id : '' });
  const { files, digest } = await capstan.marketplace.getVersion({ id, version: version as string });
  const read = (path: string) => capstan.marketplace.getFile({ id, version: version as string, path, digest });
  return { name: folderName(name.slice(name.lastIndexOf('/') + 1)), files: await fetchAll(files, read) };
}

/** It becomes a folder. */
function folderName(name: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,99}$/.test(name)) return name;
  throw new Failure('cli.path', `${JSON.stringify(name)} cannot be the name of a folder.`, {
    fix: 'Nothing was written. Choose another name with --name.',
  });
}

type Listed = { path: string; sha256: string };

const fetchAll = (files: readonly Listed[], read: (path: string) => Promise<Uint8Array | string>): Promise<Content[]> =>
  Promise.all(
    files.map(async ({ path, sha256 }) => {
      const had = await read(path);
      const bytes = typeof had === 'string' ? new TextEncoder().encode(had) : new Uint8Array(had);
      if (sha256Of(bytes) !== sha256)
        throw new Failure('cli.digest', `${path} is not what its digest says.`, {
          fix: 'Nothing was written. Try again, or tell the operator.',
        });
      return { path, bytes, sha256 };
    }),
  );
