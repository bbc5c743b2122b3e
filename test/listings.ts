import type { Listing } from '#catalog/items/item.ts';

/** Listings for tests that care for a few members only. */
export const listing = (
  provider_id: Listing['provider_id'],
  external_id: string,
  more: Partial<Listing> = {},
): Listing => ({
  name: external_id,
  description: 'd',
  version: '1.0.0',
  author: 'ann',
  homepage: '',
  downloads: 0,
  stars: 0,
  tags: [],
  source: provider_id,
  provider_id,
  external_id,
  listing_type: 'skill',
  execution_class: 'prompt',
  external_updated_at: null,
  license: '',
  repository: '',
  install: null,
  manifest: null,
  aliases: [],
  reported: { downloads: false, stars: false, updated_at: false },
  ...more,
});

/** What makes a listing a server that is reached over the network. */
export const remote = (url: string, more: object = {}) => ({
  listing_type: 'server' as const,
  execution_class: 'mcp' as const,
  install: { packages: [], remotes: [{ transport: 'streamable-http', url, headers: [], variables: [], ...more }] },
});
