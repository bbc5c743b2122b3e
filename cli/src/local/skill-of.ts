import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { SKILL_HOSTS } from '../../../src/catalog/install/skill-hosts.ts';
import { sha256 } from '../../../src/core/crypto/sha256.ts';
import { createOutbound } from '../../../src/core/outbound/outbound.ts';
import { fetchBundle, unpackSkill } from '../../../src/runtime/bundles/fetch-bundle.ts';
import { skillOfFiles } from '../../../src/runtime/bundles/skill-of-files.ts';
import { sourceOf } from '../../../src/runtime/bundles/source-of.ts';
import type { Skill } from '../../../src/runtime/skills/skill.ts';
import type { Context } from '../context.ts';
import { Failure, usage } from '../failure.ts';
import { listingOf } from '../install/listing-of.ts';
import { whyUnreadable } from '../read-input.ts';
import { listedRefOf } from '../ref.ts';
import { VERSION } from '../version.ts';
import type { World } from '../world.ts';
import type { RunSubject } from './receipt.ts';

/** The skill that a reference names: a folder or an archive of this machine, or a listing of the service. */
export interface LocalSkill {
  skill: Skill;
  subject: RunSubject;
  /** What its packages are locked for: a version of a listing, or a path, whose files change while its author works. */
  lock_key: string;
}

type Opened = Pick<Context, 'world' | 'open'>;

/** Called if the files of a listing could not be fetched, or the user ended that. */
type OnUnfetched = (subject: RunSubject, error: unknown) => Promise<void>;

/** Null for a server. */
export async function skillOf(context: Opened, text: string, onUnfetched: OnUnfetched): Promise<LocalSkill | null> {
  if (isPath(text)) return skillAt(context.world, text);
  if (text.startsWith('pkg:')) return null;
  const ref = listedRefOf(text);
  if (ref.kind === 'skill')
    throw usage(
      `${text} is a skill of the service, which runs it in a sandbox.`,
      `Run it without --local. Or write its folder with capstan install ${text}, then run that folder with --local.`,
    );
  const { capstan } = await context.open();
  const { provider, id } = await listingOf(capstan, ref);
  const item = await capstan.items.get({ provider, id });
  if (item.execution_class === 'mcp') return null;
  const { name, description, version, license, repository, install } = item;
  const listing = `${provider}/${id}`;
  const row = { provider_id: provider, external_id: id, version, repository, install: JSON.stringify(install) };
  const source = sourceOf(row);
  if ('unsupported' in source)
    throw new Failure('cli.skill', `The files of ${listing} cannot be fetched. ${source.unsupported}`, {
      fix: 'Download the skill yourself, and run its folder: capstan run --local ./<folder>.',
    });
  const address = source.kind === 'github' ? `${source.owner}/${source.repo}@${source.ref}` : listing;
  const subject = {
    execution_class: 'scripted' as const,
    ref: listing,
    name: `listing/${listing}@${version || 'unversioned'}`,
    listing: { name: listing, address },
  };
  const files = await fetching(context.world, (fetch, urls) => fetchBundle({ fetch, urls }, source)).catch(
    async (error) => {
      // Without the files, the digest is that of their address.
      await onUnfetched({ ...subject, name: `${subject.name} (not fetched)`, sha256: sha256(address) }, error);
      throw error;
    },
  );
  const skill = skillOfFiles(files, { name, description, version, license });
  return { skill, subject: { ...subject, sha256: sha256Of(skill) }, lock_key: `${listing} ${skill.digest}` };
}

const ARCHIVE = /\.(?:zip|skill|tgz|tar\.gz)$/i;

/** `./tides`, `/home/ana/tides`, `tides.zip`. Anything else is a reference of the service. */
const isPath = (text: string): boolean => /^(?:\.{1,2}$|\.{0,2}\/)/.test(text) || ARCHIVE.test(text);

async function skillAt(world: World, text: string): Promise<LocalSkill> {
  const path = await realpath(resolve(world.cwd, text)).catch((error: Error) => {
    throw usage(
      `Cannot read ${text}: ${whyUnreadable(error)}.`,
      'Name the folder of a skill, or a zip or tar.gz archive of one.',
    );
  });
  const { readSkillFolder } = await import('./skill-files.ts');
  const files = (await stat(path)).isDirectory()
    ? await readSkillFolder(path)
    : await unpackSkill(await readFile(path));
  const listed = { name: basename(path).replace(ARCHIVE, ''), description: '', version: '', license: '' };
  const skill = skillOfFiles(files, listed);
  const name = `skill/${skill.name}@${skill.version}`;
  const subject: RunSubject = { execution_class: 'scripted', ref: path, name, sha256: sha256Of(skill), listing: null };
  return { skill, subject, lock_key: path };
}

const sha256Of = ({ digest }: Skill): string => digest.slice('sha256:'.length);

type Urls = Parameters<typeof fetchBundle>[0]['urls'];
type Fetch = Parameters<typeof fetchBundle>[0]['fetch'];

/** The variables are the service's, for machines that reach a mirror only. */
async function fetching<T>({ env, local, signal }: World, work: (fetch: Fetch, urls: Urls) => Promise<T>): Promise<T> {
  const urls = {
    clawhub: (env.CAPSTAN_PROVIDER_CLAWHUB_URL || SKILL_HOSTS.clawhub).replace(/\/$/, ''),
    github: (env.CAPSTAN_GITHUB_URL || SKILL_HOSTS.github).replace(/\/$/, ''),
  };
  const user_agent = `capstan-cli/${VERSION}`;
  const outbound = createOutbound({ allow_loopback: local?.allow_loopback === true, user_agent });
  try {
    return await work((url, init) => outbound.fetch(url, { ...init, signal }), urls);
  } finally {
    await outbound.close();
  }
}
