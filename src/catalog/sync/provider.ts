import type { ListedStatus } from '#catalog/items/facts.ts';
import type { Install, Listing } from '#catalog/items/item.ts';
import type { ListingType, ProviderId } from '#catalog/items/kinds.ts';
import type { ListingRow } from '#core/db/schema.ts';
import type { PickedFacts } from './picked-facts.ts';

/** The interface between syncs and a provider's adapter, which turns a cursor into a page of listings. */

/** One record of a page: a listing, a deleted listing, or an invalid record. */
export type Adapted =
  | { kind: 'listing'; listing: Listing }
  /** `status`: what the provider says about it, with the reason. */
  | { kind: 'deleted'; external_id: string; status?: ListedStatus }
  | { kind: 'rejected'; external_id: string | null; reason: string; raw: unknown };

export interface Page {
  records: Adapted[];
  /** Opaque cursor of the next page; null at the end. Must be self-contained, because it survives a restart. */
  next: string | null;
  /** Number of records that the provider reports; null if it reports none. */
  total: number | null;
  /** Latest update time that the provider sent on this page; never our own clock. */
  watermark: string | null;
  /** For catalogs that are one document: validators for the next request. */
  validators?: Validators;
  /** True if the provider answered 304: nothing has changed since `validators`. */
  unchanged?: boolean;
}

export interface Validators {
  etag?: string;
  last_modified?: string;
}

/**
 * Response to one GET through the provider client. Failures are thrown as Problems; if the provider responded,
 * `extensions.upstream_status` is its HTTP status.
 */
export interface Answer {
  status: 200 | 304;
  text: string;
  /** `Content-Type`; '' if missing. */
  media_type: string;
  validators: Validators;
}
export type Get = (
  url: string,
  options?: { accept?: string; validators?: Validators; bearer?: string; max_bytes?: number },
) => Promise<Answer>;

export interface PageRequest {
  get: Get;
  /** Documented base URL, or its replacement from `CAPSTAN_PROVIDER_<ID>_URL`; no trailing slash. */
  base_url: string;
  key: string | null;
  mode: 'full' | 'incremental';
  cursor: string | null;
  /** Watermark of the last run, for incremental runs. */
  since: string | null;
  /** Validators of the last full run, for single-document catalogs. */
  validators: Validators;
}

/** Of one response about one listing. */
export const MAX_DETAIL_BYTES = 1_048_576;

export interface DetailRequest extends Pick<PageRequest, 'get' | 'base_url' | 'key'> {
  listing: ListingRow;
  /** Of the last response to the request that decides whether anything changed. */
  validators: Validators;
}

/** What a provider's list omits about one listing. Missing members were not reported. Everything in it is cleaned later. */
export interface Detail {
  install?: Install | null;
  license?: unknown;
  facts?: PickedFacts;
  /** Objects with `path`, `size` and `sha256`. */
  files?: unknown;
  documents?: { kind: 'readme' | 'skill' | 'versions'; url: string; text: string }[];
  /** The raw response, for its digest. */
  text: string;
  validators: Validators;
  /** True if the provider answered 304; the other fields are then missing. */
  unchanged: boolean;
}

export interface Provider {
  id: ProviderId;
  title: string;
  /** Documented base URL; tests and mirrors replace it. */
  base_url: string;
  /** `required`: disabled until a key is set. `optional`: sent if set; a 401 or 403 without a key disables the provider. */
  key: 'none' | 'optional' | 'required';
  incremental: boolean;
  /** True if a sync has to read every page, often hundreds. */
  walked?: true;
  /** At most `concurrency` requests at once, at least `interval_ms` apart, each with `timeout_ms` and `max_bytes`. */
  pace: { concurrency: number; interval_ms: number; timeout_ms: number; max_bytes: number };
  fetchPage(request: PageRequest): Promise<Page>;
  /** How to fetch details of listings of these types, if the list omits something. */
  detail?: {
    listing_types: readonly ListingType[];
    /** True if records name the addresses, which may be on any host: `get` then has nothing to do with the provider's own. */
    is_elsewhere?: true;
    fetch(request: DetailRequest): Promise<Detail>;
    /** One file of the list that `fetch` returned, as text. Missing if the provider hands out no single files. */
    file?(
      request: DetailRequest,
      file: { path: string; sha256: string | null },
    ): Promise<{ url: string; text: string }>;
  };
}
