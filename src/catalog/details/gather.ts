import { type Facts, factsIn, HELD } from '#catalog/items/facts.ts';
import type { Install } from '#catalog/items/item.ts';
import { factsOf } from '#catalog/sync/adapt-facts.ts';
import { MAX, text } from '#catalog/sync/adapt-fields.ts';
import type { Get, Provider, Validators } from '#catalog/sync/provider.ts';
import { upstreamStatus } from '#catalog/sync/upstream-status.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import type { DocumentKind } from './documents.ts';
import { fetchText, type Known } from './fetch-text.ts';
import type { HostClients, RawHost } from './host-clients.ts';
import { licenseName } from './license-name.ts';
import { type CleanFiles, filesOf } from './listed-files.ts';
import {
  inFolders,
  LICENSE_NAMES,
  type RawRepository,
  type RawUrls,
  README_NAMES,
  rawRepository,
  skillPaths,
} from './raw-files.ts';

/** The requests for one listing: which there are, and what they find. Saves nothing. */

/** The files of a skill on GitHub, by path; null if they are elsewhere. Throws Problems. */
export type SkillFiles = (row: ListingRow) => (() => Promise<Map<string, Uint8Array>>) | null;

/** What one request found. Missing members stay as they are. */
export interface Gathered {
  install?: Install | null;
  facts?: Facts | null;
  license?: string;
  files?: CleanFiles;
  /** Of all files, by path, if they came together. */
  contents?: ReadonlyMap<string, Uint8Array>;
  /** Of the provider's own response; missing if none was requested. */
  answer?: { text: string; validators: Validators };
  documents: Partial<Record<DocumentKind, GatheredDocument>>;
}

export type GatheredDocument =
  | { kind: 'found'; url: string; text: string; validators: Validators }
  | { kind: 'unchanged'; validators: Validators }
  | { kind: 'none' };

export interface GatherDeps {
  hosts: HostClients;
  raw: RawUrls;
  skillFiles: SkillFiles;
}

export interface Asking {
  row: ListingRow;
  provider: Provider;
  base_url: string;
  key: string | null;
  get: Get;
  signal: AbortSignal;
  /** Of the provider's last response. */
  validators: Validators;
  /** Where stored documents came from. */
  known(kind: DocumentKind): Known | null;
  /** Whether a person or a run needs the listing: archives are fetched then. */
  is_asked: boolean;
}

interface Step {
  ask(asking: Asking): Promise<Gathered>;
  /** False if it asks a host that only this listing's record names: its failures tell nothing about other listings. */
  is_shared: boolean;
}

/** The requests that can be made about a listing; none if its list has everything. */
export function stepsFor(deps: GatherDeps, provider: Provider, row: ListingRow): Step[] {
  const steps: Step[] = [];
  const add = (ask: Step['ask'], is_shared = true) => steps.push({ ask, is_shared });
  if (provider.detail?.listing_types.includes(row.listing_type as never))
    add((asking) => ofProvider(deps, asking), provider.detail.is_elsewhere !== true);
  const repository = repositoryOf(deps.raw, row);
  const readmeUrl = factsIn(row.facts).readme?.url;
  const hasReadme = (row.facts_held & HELD.readme) !== 0;
  if (row.listing_type === 'skill') {
    const files = deps.skillFiles(row);
    if (files !== null) add((asking) => ofSkill(deps, asking, files, repository));
  } else if (!hasReadme && readmeUrl !== undefined) {
    const host = hostOf(deps.raw, readmeUrl);
    add((asking) => ofUrl(deps, asking, host, readmeUrl), host !== 'other');
  } else if (!hasReadme && repository !== null) add((asking) => readmeIn(deps, asking, repository));
  if (repository !== null && row.license === '') add((asking) => licenseIn(deps, asking, repository));
  return steps;
}

function repositoryOf(raw: RawUrls, row: ListingRow): RawRepository | null {
  return row.repository === '' ? null : rawRepository(raw, row.repository, factsIn(row.facts).repository?.subfolder);
}

async function ofProvider(deps: GatherDeps, asking: Asking): Promise<Gathered> {
  const { provider, row, base_url, key, validators } = asking;
  const { detail } = provider;
  if (detail === undefined) return { documents: {} };
  const get = detail.is_elsewhere === true ? getElsewhere(deps, asking) : asking.get;
  try {
    const answer = await detail.fetch({ get, base_url, key, listing: row, validators });
    if (answer.unchanged) return { documents: {} };
    const { facts } = factsOf(answer.facts ?? {});
    const files = filesOf(answer.files);
    const documents = (answer.documents ?? []).map(({ kind, ...found }) => [
      kind,
      { kind: 'found' as const, ...found, validators: {} },
    ]);
    return {
      install: answer.install ?? null,
      facts,
      license: text(answer.license, MAX.license),
      answer: { text: answer.text, validators: answer.validators },
      documents: Object.fromEntries(documents),
      ...defined({ files: files ?? undefined }),
    };
  } catch (error) {
    // It has no detail of this listing, which is an answer.
    if (upstreamStatus(error) === 404) return { install: null, facts: null, documents: {} };
    throw error;
  }
}

const hostOf = ({ github, gitlab }: RawUrls, url: string): RawHost =>
  url.startsWith(`${github}/`) ? 'github' : url.startsWith(`${gitlab}/`) ? 'gitlab' : 'other';

/** Under the rate limit of whichever host an address is on. */
const getElsewhere =
  ({ hosts, raw }: GatherDeps, { signal }: Asking): Get =>
  (url, request) =>
    hosts.get(hostOf(raw, url), signal)(url, request);

async function ofUrl({ hosts }: GatherDeps, { known, signal }: Asking, host: RawHost, url: string): Promise<Gathered> {
  return { documents: { readme: await fetchText(hosts.get(host, signal), [url], known('readme')) } };
}

async function readmeIn({ hosts }: GatherDeps, asking: Asking, repository: RawRepository): Promise<Gathered> {
  const urls = inFolders(repository.folder, README_NAMES).map(repository.fileAt);
  return {
    documents: { readme: await fetchText(hosts.get(repository.host, asking.signal), urls, asking.known('readme')) },
  };
}

async function licenseIn({ hosts }: GatherDeps, asking: Asking, repository: RawRepository): Promise<Gathered> {
  const urls = LICENSE_NAMES.map(repository.fileAt);
  const found = await fetchText(hosts.get(repository.host, asking.signal), urls, asking.known('license'));
  const license = found.kind === 'found' ? licenseName(found.text) : undefined;
  return { documents: { license: found }, ...defined({ license }) };
}

/**
 * The archive of a repository has all files of a skill, but is large, so it is fetched only for a skill that is opened or run. In the
 * background, SKILL.md alone is looked for where such files are by custom.
 */
async function ofSkill(
  { hosts }: GatherDeps,
  { row, known, signal, is_asked }: Asking,
  files: () => Promise<Map<string, Uint8Array>>,
  repository: RawRepository | null,
): Promise<Gathered> {
  if (is_asked) return ofFiles(await hosts.archives.run(signal, files), row);
  if (repository === null) return { documents: {} };
  const name = row.external_id.slice(row.external_id.lastIndexOf('/') + 1);
  const urls = skillPaths(repository.folder, name).map(repository.fileAt);
  const found = await fetchText(hosts.get(repository.host, signal), urls, known('skill'));
  // A repository with several skills may have another one at its root.
  const isOther = found.kind === 'found' && found.url.endsWith('/HEAD/SKILL.md') && !isNamed(found.text, name);
  return { documents: found.kind === 'none' || isOther ? {} : { skill: found } };
}

const isNamed = (skillMd: string, name: string): boolean =>
  skillMd
    .slice(0, 2_000)
    .split('\n')
    .some(
      (line) =>
        line.startsWith('name:') &&
        line
          .slice(5)
          .trim()
          .replace(/^["']|["']$/g, '') === name,
    );

function ofFiles(contents: ReadonlyMap<string, Uint8Array>, { repository }: ListingRow): Gathered {
  const listed = [...contents].map(([path, bytes]) => ({ path, size: bytes.length }));
  const main = contents.get('SKILL.md') ?? contents.get('skill.md');
  const files = filesOf(listed);
  return {
    ...defined({ files: files ?? undefined }),
    contents,
    documents:
      main === undefined
        ? {}
        : { skill: { kind: 'found', url: repository, text: Buffer.from(main).toString('utf8'), validators: {} } },
  };
}
