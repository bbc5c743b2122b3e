import type { Item } from '#catalog/items/item.ts';
import type { OwnItem } from '#catalog/items/own-listings.ts';
import type { CapabilityDocument } from '#catalog/search/index/document.ts';
import type { Listing } from '#marketplace/listings/shapes.ts';
import { verification } from './verification.ts';

/** Listings as documents of the marketplace's index: each separate, without merges and proofs. */
export const documentOfItem = (item: Item | OwnItem, at: number): CapabilityDocument<Listing> => ({
  wire: {
    id: `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`,
    name: item.name,
    description: item.description,
    author: item.author,
    version: item.version,
    license: '',
    listing_type: item.listing_type,
    digest: '',
    execution_class: item.execution_class,
    tags: item.tags,
    downloads: item.downloads,
    stars: item.stars,
    sources: [
      {
        provider: item.provider_id,
        external_id: item.external_id,
        version: item.version,
        homepage: item.homepage,
        updated_at: item.external_updated_at,
      },
    ],
    conflicts: [],
    publisher: null,
    availability: 'untried',
    verification: verification(),
    hot_score: null,
    featured: false,
    flagged: false,
    created_at: '',
    updated_at: item.external_updated_at ?? '',
    status: 'live',
    status_reason: '',
    claimed: false,
    findings: 0,
  },
  searched: {
    name: item.name,
    other_names: [],
    tags: item.tags,
    author: item.author,
    description: item.description,
    places: [{ provider: item.provider_id, external_id: item.external_id }],
    contents: [],
  },
  used: [{ provider: item.provider_id, downloads: item.downloads, stars: item.stars }],
  tools: [],
});
