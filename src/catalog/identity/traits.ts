import { hash } from 'node:crypto';
import { remotesOf } from '#catalog/install/remotes.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import type { ListingRow } from '#core/db/schema.ts';
import {
  cleanFolder,
  contentWords,
  isOfAccount,
  nameKey,
  nameWords,
  packageKey,
  type Repository,
  remoteKey,
  repositoryOf,
  slugKey,
} from './normalize.ts';
import { RULES } from './progress.ts';

/** What a listing says of where it comes from, in one form whatever its provider: all that identity is judged by. Pure. */

export type TraitRow = Pick<
  ListingRow,
  'provider_id' | 'external_id' | 'name' | 'description' | 'homepage' | 'listing_type' | 'repository' | 'install'
> & { manifest: string | null };

export interface Traits {
  provider_id: string;
  external_id: string;
  listing_type: string;
  /** `npm:…`, without versions. */
  packages: string[];
  /** Addresses of its own server; none of one that gathers several. */
  remotes: string[];
  /** Of Smithery's gateway, which others list under their own ids. */
  gateway: string | null;
  repository: Repository | null;
  /** Whether its account has to do with the repository that it names; anybody may name any. */
  is_repository_own: boolean;
  /** Whether where it comes from is known at all: of some there is only what they are called and said to be. */
  has_origin: boolean;
  /** `owner/name` at its directory, lower case, where ids are such. */
  directory_id: string | null;
  /** Accounts that it is published by, lower case. */
  owners: string[];
  /** What it is called, by its id and its name, without what every server is called. */
  names: string[];
  /** Words of those that say something; only where there is no origin to judge by. */
  name_words: string[];
  /** Its id and its name, where they are written as names of packages are. */
  slugs: string[];
  /** What its repository, or its folder there, is called. */
  place_name: string;
  /** The list it stands in: its provider, or one of the marketplaces of that. */
  shelf: string;
  /** Words of its name and description that say something. */
  words: string[];
  /** What its description says, in one form; '' where it is too short to tell anything. */
  description: string;
}

/** A server that names more addresses than this is a list of servers. */
const MOST_REMOTES = 4;

export function traitsOf(row: TraitRow): Traits {
  const install = parsed(row.install);
  const { provider_id, external_id, listing_type } = row;
  const repository = repositoryOfRow(row, install);
  const remotes = [...new Set(remotesOf(install).map(({ url }) => remoteKey(url)))];
  const has_origin = repository !== null || remotes.length > 0 || provider_id === 'mcp-registry';
  const directory_id = directoryId(provider_id, external_id) ?? hostedId(remotes);
  const is_repository_own = repository !== null && isOwn(row, repository, remotes);
  return {
    provider_id,
    external_id,
    listing_type,
    repository,
    has_origin,
    directory_id,
    is_repository_own,
    packages: packagesOf(install),
    remotes: remotes.length > MOST_REMOTES ? [] : remotes,
    gateway: gatewayOf(row, remotes),
    owners: ownersOf(row, directory_id, is_repository_own ? repository : null),
    names: namesOf(row, repository),
    name_words: row.listing_type === 'server' && !has_origin ? nameWords([row.name, lastPart(idOf(row))]) : [],
    slugs: slugsOf(row, repository),
    place_name: repository === null ? '' : nameKey(lastPart(repository.folder) || repository.name),
    shelf: shelfOf(row),
    words: contentWords(`${row.name} ${lastPart(external_id)} ${row.description}`),
    description: plainDescription(row.description),
  };
}

const parsed = (json: string | null): Record<string, unknown> | null => (json === null ? null : JSON.parse(json));

const packagesOf = (install: Record<string, unknown> | null): string[] => {
  const list = Array.isArray(install?.packages) ? install.packages : [];
  const keys = list.map((it) => packageKey((it ?? {}) as Record<string, unknown>)).filter((it) => it !== null);
  return [...new Set(keys)].sort();
};

/** Where the listing names no repository its homepage may be one. The folder is told in three places. */
function repositoryOfRow(row: TraitRow, install: Record<string, unknown> | null): Repository | null {
  const found = repositoryOf(row.repository) ?? repositoryOf(row.homepage);
  if (found === null) return null;
  const written = row.provider_id === 'mcp-registry' ? subfolderIn(row.manifest) : pathIn(install);
  return { ...found, folder: cleanFolder(written || found.folder) };
}

function subfolderIn(manifest: string | null): string {
  if (manifest === null || !manifest.includes('"subfolder"')) return '';
  const { repository } = JSON.parse(manifest) as { repository?: { subfolder?: unknown } | null };
  return typeof repository?.subfolder === 'string' ? repository.subfolder : '';
}

const pathIn = (install: Record<string, unknown> | null): string => {
  const source = install?.source as { path?: unknown } | string | undefined;
  return typeof source === 'object' && typeof source?.path === 'string' ? source.path : '';
};

/**
 * The official registry and Smithery take any repository that a publisher names; whoever brings something of its own to
 * run beside it must have to do with the repository's account, or it would be run under that one's name. The registry has
 * checked accounts and domains. The others read the repository itself, or look at each entry.
 */
function isOwn(row: TraitRow, { owner }: Repository, remotes: readonly string[]): boolean {
  const { provider_id, external_id, install } = row;
  if (provider_id === 'smithery') return isOfAccount(provider_id, external_id, owner);
  // Smithery's own entries write account and name in one word; the address that it serves them at tells them apart.
  if (isGateway(row) && hostedId(remotes)?.startsWith(`${owner}/`)) return true;
  return provider_id !== 'mcp-registry' || install === null || isOfAccount(provider_id, external_id, owner);
}

/** Ids of two parts are an account and a name. */
function directoryId(provider_id: string, external_id: string): string | null {
  const id = external_id.toLowerCase();
  if (provider_id === 'mcp-registry') return /^io\.github\.([^/]+\/[^/]+)$/.exec(id)?.[1] ?? null;
  if (!['smithery', 'glama', 'clawhub', 'gemini-extensions'].includes(provider_id)) return null;
  return /^@?([^/@]+\/[^/]+)$/.exec(id)?.[1] ?? null;
}

const hostedId = (remotes: readonly string[]): string | null =>
  remotes
    .map((it) => /^server\.smithery\.ai\/@?([^/]+\/[^/]+)$/.exec(it)?.[1] ?? null)
    .find((it) => it !== null)
    ?.toLowerCase() ?? null;

/** `server.smithery.ai/@owner/name`, which the official registry lists as `ai.smithery/owner-name`. */
function gatewayOf({ provider_id, external_id }: TraitRow, remotes: readonly string[]): string | null {
  const flat = (it: string) => it.toLowerCase().replace(/^@/, '').replace('/', '-');
  if (provider_id === 'smithery') return external_id.startsWith('skills/') ? null : flat(external_id);
  const listed = /^ai\.smithery\/(.+)$/.exec(external_id)?.[1];
  const hosted = remotes.map((it) => /^server\.smithery\.ai\/(.+)$/.exec(it)?.[1]).find((it) => it !== undefined);
  const id = hosted ?? listed;
  return id === undefined ? null : flat(id);
}

function ownersOf(row: TraitRow, directory_id: string | null, own: Repository | null): string[] {
  const owners = new Set<string>();
  if (own !== null && !isCatalogue(row)) owners.add(own.owner);
  if (directory_id !== null) owners.add(directory_id.split('/')[0] as string);
  const account = /^io\.github\.([^/]+)\//i.exec(row.external_id)?.[1];
  if (account !== undefined) owners.add(account.toLowerCase());
  if (row.provider_id === 'skills-sh') owners.add((row.external_id.split('/')[0] as string).toLowerCase());
  return [...owners].filter((it) => it !== OWN_SOURCE).sort();
}

/** A plugin in its marketplace's own repository is not by the marketplace's owner. */
const isCatalogue = ({ provider_id, install }: TraitRow): boolean =>
  provider_id === 'claude-plugins' && install !== null && install.includes('"kind":"relative"');

function namesOf(row: TraitRow, repository: Repository | null): string[] {
  const form = row.listing_type === 'server' ? nameKey : slugKey;
  const id = lastPart(idOf(row));
  // `ai.smithery/owner-name`: the account stands before the name.
  const bare = repository !== null && isGateway(row) ? id.toLowerCase().replace(`${repository.owner}-`, '') : id;
  return [...new Set([bare, lastPart(row.name)].map((it) => form(it)))].filter((it) => it.length >= 2);
}

const isGateway = ({ external_id }: TraitRow): boolean => external_id.startsWith('ai.smithery/');

/** Claude's marketplaces are lists of their own, and so is what the official registry has from Smithery. */
function shelfOf(row: TraitRow): string {
  if (row.provider_id === 'claude-plugins') return `claude-plugins${/@[^@]*$/.exec(row.external_id)?.[0] ?? ''}`;
  return isGateway(row) ? 'mcp-registry@smithery' : row.provider_id;
}

/** An id that is a number says nothing of a name. */
const idOf = ({ provider_id, external_id }: TraitRow): string =>
  provider_id === 'glama' && !external_id.includes('/') ? '' : external_id.replace(/(?<=.)@[^@]*$/, '');

function slugsOf(row: TraitRow, repository: Repository | null): string[] {
  if (row.listing_type !== 'server') return [];
  const written = [lastPart(idOf(row)), row.name, repository?.name ?? ''].map((it) => it.toLowerCase());
  return [...new Set(written)].filter(
    (it) => /^[a-z0-9]+(?:[-_][a-z0-9]+)+$|^[a-z0-9]{3,}mcp$/.test(it) && nameKey(it) !== '',
  );
}

const lastPart = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

const LEAST_DESCRIPTION = 40;

function plainDescription(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return plain.length < LEAST_DESCRIPTION ? '' : plain.slice(0, 300);
}

export const digestOf = (traits: Traits): string =>
  hash('sha256', JSON.stringify([RULES, traits]), 'base64url').slice(0, 16);
