import type { Availability } from '#catalog/items/availability.ts';
import type { ExecutionClass, ListingType } from '#catalog/items/kinds.ts';
import type { SOURCES } from '#catalog/items/own-listings.ts';
import type { Level } from '#catalog/items/verification.ts';
import type { DocumentTool } from './tool-text.ts';

/** A capability as the marketplace's index holds it. The marketplace makes the documents and passes them in. */
export interface CapabilityDocument<Shown extends ShownCapability = ShownCapability> {
  /** The API's JSON. An answer copies its bytes. */
  wire: Shown;
  searched: SearchedFields;
  /** Downloads and stars per listing, as its provider counts them. */
  used: readonly { provider: string; downloads: number; stars: number }[];
  tools: readonly DocumentTool[];
  /** Digests of texts by which copies are recognized beside its description: of its SKILL.md, or of all its files. */
  digests?: readonly string[];
}

/** The fields of the shown JSON that the index reads. The JSON holds more. */
export interface ShownCapability {
  id: string;
  name: string;
  description: string;
  author: string;
  listing_type: ListingType;
  execution_class: ExecutionClass;
  tags: string[];
  downloads: number;
  stars: number;
  sources: {
    provider: (typeof SOURCES)[number];
    external_id: string;
    version: string;
    homepage: string;
    updated_at: string | null;
  }[];
  verification: { level: Level; verified: boolean };
  license: string;
  availability: Availability;
  hot_score: number | null;
  flagged: boolean;
  /** How its owner is known: published here, or proved by a file in its repository or by a wallet. Null if it is not. */
  publisher: { by: 'published' | 'repository_file' | 'wallet' } | null;
  created_at: string;
  updated_at: string;
}

/** The text that a search looks at. */
export interface SearchedFields {
  name: string;
  /** Names and titles that single providers give it, where they differ. */
  other_names: readonly string[];
  tags: readonly string[];
  author: string;
  description: string;
  /** Texts of what it contains, the most telling first: names of tools and files, instructions. Only their most frequent words are indexed. */
  contents: readonly string[];
  /** The id of each listing at its provider. */
  places: readonly { provider: string; external_id: string }[];
}
