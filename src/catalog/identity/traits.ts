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

/** What a listing says about its origin, in one shape for all providers. Identity is decided from this alone. Pure. */

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
  /** Addresses of the server; empty for a listing that collects several servers. */
  remotes: string[];
  /** Id at Smithery's gateway, which other providers list under their own ids. */
  gateway: string | null;
  repository: Repository | null;
  /** Whether the listing's account matches the repository's. Anyone can name any repository. */
  is_repository_own: boolean;
  /** Whether the origin is known at all. If not, there are only a name and a description. */
  has_origin: boolean;
  /** `owner/name` at its directory in lower case, if its ids have that form. */
  directory_id: string | null;
  /** Accounts that publish it, in lower case. */
  owners: string[];
  /** Keys of its id and its name, without generic words. */
  names: string[];
  /** Specific words of its id and name; empty if the origin is known. */
  name_words: string[];
  /** Its id, name and repository name, where they are written like package names. */
  slugs: string[];
  /** Key of the name of its repository, or of its folder there. */
  place_name: string;
  /** The list that it appears in: its provider, or one marketplace of that provider. */
  shelf: string;
  /** Specific word stems of its name and description. */
  words: string[];
  /** Its description in canonical form; '' if it is too short to identify anything. */
  description: string;
}

/** A listing with more addresses than this is a collection of servers. */
const MAX_REMOTES = 4;

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
    remotes: remotes.length > MAX_REMOTES ? [] : remotes,
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

/** Changes when the traits or the rules change. A listing with an unchanged digest is not compared again. */
export function digestOf(traits: Traits): string {
  return hash('sha256', JSON.stringify([RULES, traits]), 'base64url').slice(0, 16);
}

function parsed(json: string | null): Record<string, unknown> | null {
  return json === null ? null : JSON.parse(json);
}

function packagesOf(install: Record<string, unknown> | null): string[] {
  const list = Array.isArray(install?.packages) ? install.packages : [];
  const keys = list.map((entry) => packageKey((entry ?? {}) as Record<string, unknown>)).filter((key) => key !== null);
  return [...new Set(keys)].sort();
}

/** Falls back to the homepage. The folder comes from the manifest, the install source or the address, depending on the provider. */
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

function pathIn(install: Record<string, unknown> | null): string {
  const source = install?.source as { path?: unknown } | string | undefined;
  return typeof source === 'object' && typeof source?.path === 'string' ? source.path : '';
}

/**
 * Whether the listing's account matches the repository's. The official registry and Smithery accept any repository that a
 * publisher names. Without this check, a listing with its own package or address would run under the name of another account.
 * The official registry verifies accounts and domains; the other providers read the repository or review each entry.
 */
function isOwn(row: TraitRow, { owner }: Repository, remotes: readonly string[]): boolean {
  const { provider_id, external_id, install } = row;
  if (provider_id === 'smithery') return isOfAccount(provider_id, external_id, owner);
  // Smithery's entries in the registry join account and name with a dash; their address at the gateway separates the two.
  if (isGateway(row) && hostedId(remotes)?.startsWith(`${owner}/`)) return true;
  return provider_id !== 'mcp-registry' || install === null || isOfAccount(provider_id, external_id, owner);
}

/** Ids with two parts are an account and a name. */
function directoryId(providerId: string, externalId: string): string | null {
  const id = externalId.toLowerCase();
  if (providerId === 'mcp-registry') return /^io\.github\.([^/]+\/[^/]+)$/.exec(id)?.[1] ?? null;
  if (!['smithery', 'glama', 'clawhub', 'gemini-extensions'].includes(providerId)) return null;
  return /^@?([^/@]+\/[^/]+)$/.exec(id)?.[1] ?? null;
}

function hostedId(remotes: readonly string[]): string | null {
  return (
    remotes
      .map((remote) => /^server\.smithery\.ai\/@?([^/]+\/[^/]+)$/.exec(remote)?.[1] ?? null)
      .find((id) => id !== null)
      ?.toLowerCase() ?? null
  );
}

/** `server.smithery.ai/@owner/name` is `ai.smithery/owner-name` in the official registry. */
function gatewayOf({ provider_id, external_id }: TraitRow, remotes: readonly string[]): string | null {
  const flat = (id: string) => id.toLowerCase().replace(/^@/, '').replace('/', '-');
  if (provider_id === 'smithery') return external_id.startsWith('skills/') ? null : flat(external_id);
  const listed = /^ai\.smithery\/(.+)$/.exec(external_id)?.[1];
  const hosted = remotes
    .map((remote) => /^server\.smithery\.ai\/(.+)$/.exec(remote)?.[1])
    .find((id) => id !== undefined);
  const id = hosted ?? listed;
  return id === undefined ? null : flat(id);
}

function ownersOf(row: TraitRow, directoryKey: string | null, own: Repository | null): string[] {
  const owners = new Set<string>();
  if (own !== null && !isInMarketplaceRepository(row)) owners.add(own.owner);
  if (directoryKey !== null) owners.add(directoryKey.split('/')[0] as string);
  const account = /^io\.github\.([^/]+)\//i.exec(row.external_id)?.[1];
  if (account !== undefined) owners.add(account.toLowerCase());
  if (row.provider_id === 'skills-sh') owners.add((row.external_id.split('/')[0] as string).toLowerCase());
  return [...owners].filter((owner) => owner !== OWN_SOURCE).sort();
}

/** The owner of a marketplace's repository did not necessarily write the plugins in it. */
function isInMarketplaceRepository({ provider_id, install }: TraitRow): boolean {
  return provider_id === 'claude-plugins' && install !== null && install.includes('"kind":"relative"');
}

function namesOf(row: TraitRow, repository: Repository | null): string[] {
  const form = row.listing_type === 'server' ? nameKey : slugKey;
  const id = lastPart(idOf(row));
  // In `ai.smithery/owner-name` the account precedes the name.
  const bare = repository !== null && isGateway(row) ? id.toLowerCase().replace(`${repository.owner}-`, '') : id;
  return [...new Set([bare, lastPart(row.name)].map((name) => form(name)))].filter((name) => name.length >= 2);
}

function isGateway({ external_id }: TraitRow): boolean {
  return external_id.startsWith('ai.smithery/');
}

/** Each Claude marketplace is a separate list, and so are Smithery's entries in the official registry. */
function shelfOf(row: TraitRow): string {
  if (row.provider_id === 'claude-plugins') return `claude-plugins${/@[^@]*$/.exec(row.external_id)?.[0] ?? ''}`;
  return isGateway(row) ? 'mcp-registry@smithery' : row.provider_id;
}

/** Glama generates its ids without a slash, so they say nothing about the name. */
function idOf({ provider_id, external_id }: TraitRow): string {
  return provider_id === 'glama' && !external_id.includes('/') ? '' : external_id.replace(/(?<=.)@[^@]*$/, '');
}

function slugsOf(row: TraitRow, repository: Repository | null): string[] {
  if (row.listing_type !== 'server') return [];
  const written = [lastPart(idOf(row)), row.name, repository?.name ?? ''].map((text) => text.toLowerCase());
  return [...new Set(written)].filter(
    (slug) => /^[a-z0-9]+(?:[-_][a-z0-9]+)+$|^[a-z0-9]{3,}mcp$/.test(slug) && nameKey(slug) !== '',
  );
}

function lastPart(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

const MIN_DESCRIPTION = 40;

function plainDescription(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return plain.length < MIN_DESCRIPTION ? '' : plain.slice(0, 300);
}
