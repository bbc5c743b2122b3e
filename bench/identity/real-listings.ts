import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Listing } from '#catalog/items/item.ts';
import { adaptPlugin, contextOf } from '#catalog/providers/claude-plugins/adapt.ts';
import type { Marketplace } from '#catalog/providers/claude-plugins/wire.ts';
import { adaptSource } from '#catalog/providers/docker/adapt.ts';
import { parseYaml } from '#catalog/providers/docker/parse-yaml.ts';
import { adaptServer } from '#catalog/providers/mcp-registry/adapt.ts';
import type { Adapted } from '#catalog/sync/provider.ts';
import { parseLine } from '#catalog/transfer/parse-line.ts';
import { dataFile, TEST_DATA } from '#test/test-data.ts';

/** The listings of CAPSTAN_TEST_DATA as a sync would have saved them: with packages, addresses and repositories where known. */

const DATA = TEST_DATA ?? '';

export const hasData = (): boolean => dataFile('listings.jsonl') !== null;

export function realListings(): Listing[] {
  const richer = new Map(
    [...fromDocker(), ...fromRegistry(), ...fromMarketplaces()].map((marketplace) => [keyOf(marketplace), marketplace]),
  );
  const repositories = registryRepositories();
  return lines('listings.jsonl').flatMap((line) => {
    const parsed = parseLine(Buffer.from(line));
    return 'listing' in parsed ? [completed(parsed.listing, richer, repositories)] : [];
  });
}

const keyOf = ({ provider_id, external_id }: Pick<Listing, 'provider_id' | 'external_id'>): string =>
  `${provider_id} ${external_id}`;

interface RegistryRepository {
  url?: string;
  subfolder?: string | null;
}

function completed(
  listing: Listing,
  richer: Map<string, Listing>,
  repositories: Map<string, RegistryRepository>,
): Listing {
  const more = richer.get(keyOf(listing));
  if (listing.provider_id === 'mcp-registry') {
    const place = repositories.get(listing.external_id);
    const repository = more?.repository || place?.url || '';
    const manifest = more?.manifest ?? (place === undefined ? null : { repository: place });
    return { ...listing, repository, manifest, install: more?.install ?? null };
  }
  if (listing.provider_id === 'docker' || listing.provider_id === 'claude-plugins')
    return { ...listing, ...pick(more) };
  if (listing.provider_id === 'skills-sh') return { ...listing, repository: githubOf(listing.external_id) };
  const source = /^https:\/\/github\.com\//.test(listing.homepage) ? listing.homepage : '';
  return listing.provider_id === 'gemini-extensions' ? { ...listing, repository: source } : listing;
}

const pick = (listing: Listing | undefined) =>
  listing === undefined ? {} : { repository: listing.repository, install: listing.install, manifest: listing.manifest };

function githubOf(id: string): string {
  const [owner = '', repo = ''] = id.split('/');
  return owner.includes('.') || repo === '' ? '' : `https://github.com/${owner}/${repo}`;
}

const fromDocker = (): Listing[] =>
  lines('docker/servers_2026-07-08.jsonl').flatMap((line) =>
    listingIn(adaptSource(parseYaml(JSON.parse(line).server_yaml))),
  );

/** File and the repository that it stands in. */
const MARKETPLACES = [
  ['anthropics_claude-plugins-official_marketplace_2026-08-21.json', 'anthropics/claude-plugins-official'],
  ['github_awesome-copilot_marketplace_2026-08-07.json', 'github/awesome-copilot'],
  ['openai_plugins_marketplace_2026-06-25.json', 'openai/plugins'],
  ['composio_marketplace_2026-05-07.json', 'ComposioHQ/awesome-claude-skills'],
] as const;

const fromMarketplaces = (): Listing[] =>
  MARKETPLACES.flatMap(([file, catalog]) => {
    const marketplace = JSON.parse(readFileSync(join(DATA, 'claude-plugins', file), 'utf8')) as Marketplace;
    const context = contextOf(marketplace, catalog);
    return marketplace.plugins.flatMap((plugin) => listingIn(adaptPlugin(plugin, context)));
  });

function fromRegistry(): Listing[] {
  const latest = new Map<string, unknown>();
  for (const line of lines('mcp-registry/v0-servers_2025-12-02.jsonl')) {
    const record = JSON.parse(line);
    const name = record.server.name;
    if (!latest.has(name) || record._meta?.['io.modelcontextprotocol.registry/official']?.isLatest)
      latest.set(name, record);
  }
  return [...latest.values()].flatMap((record) => listingIn(adaptServer(record)));
}

const registryRepositories = (): Map<string, RegistryRepository> =>
  new Map(
    lines('mcp-registry/latest_2026-06-12.jsonl').flatMap((line) => {
      const { entry_name, repository } = JSON.parse(line);
      return repository === null ? [] : [[entry_name, repository] as const];
    }),
  );

const listingIn = (adapted: Adapted): Listing[] => (adapted.kind === 'listing' ? [adapted.listing] : []);

const lines = (file: string): string[] => readFileSync(join(DATA, file), 'utf8').split('\n').filter(Boolean);
