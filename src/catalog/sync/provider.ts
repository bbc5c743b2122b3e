import type { Install, Listing } from '#catalog/items/item.ts';
import type { ListingType, ProviderId } from '#catalog/items/kinds.ts';

/** The seam between the sync chain and one provider's API: a door that turns a cursor into a page of listings. */

/** One record of a page: a listing, a listing its provider says is deleted, or a record that does not fit. */
export type Adapted =
  | { kind: 'listing'; listing: Listing }
  | { kind: 'deleted'; external_id: string }
  | { kind: 'rejected'; external_id: string | null; reason: string; raw: unknown };

export interface Page {
  records: Adapted[];
  /** Opaque; handed back to fetch the next page. Null at the end. Survives a restart, so it must be self-contained. */
  next: string | null;
  /** How many records the provider says there are, if it says so. */
  total: number | null;
  /** Greatest update time that the provider sent in this page; never our own clock. */
  watermark: string | null;
  /** For doors whose whole catalogue is one document: the validators to send next time. */
  validators?: Validators;
  /** True where the provider answered 304: nothing changed since `validators`. */
  unchanged?: boolean;
}

export interface Validators {
  etag?: string;
  last_modified?: string;
}

/**
 * One polite GET: paced, timed out, retried, size-capped, guarded by the sync chain. Failures are thrown Problems;
 * where the provider did answer, `extensions.upstream_status` is its HTTP status.
 */
export interface Answer {
  status: 200 | 304;
  text: string;
  validators: Validators;
}
export type Get = (
  url: string,
  options?: { accept?: string; validators?: Validators; bearer?: string },
) => Promise<Answer>;

export interface PageRequest {
  get: Get;
  /** Documented base URL, or its replacement from `CAPSTAN_PROVIDER_<ID>_URL`; no trailing slash. */
  base_url: string;
  key: string | null;
  mode: 'full' | 'incremental';
  cursor: string | null;
  /** Watermark of the last run; set for incremental runs. */
  since: string | null;
  /** Validators of the last full run, for single-document catalogues. */
  validators: Validators;
}

export interface DetailRequest extends Pick<PageRequest, 'get' | 'base_url' | 'key'> {
  external_id: string;
  /** Of the last answer. */
  validators: Validators;
}

/** What a provider says of one listing that its list leaves out. */
export interface Detail {
  install: Install | null;
  /** As it came, for its digest. */
  text: string;
  validators: Validators;
  /** True where the provider answered 304; all else is empty then. */
  unchanged: boolean;
}

export interface Provider {
  id: ProviderId;
  title: string;
  /** Documented base URL, replaced by configuration in tests and mirrors. */
  base_url: string;
  /** `required`: disabled until a key is set. `optional`: sent when set; a 401 or 403 without one disables the provider. */
  key: 'none' | 'optional' | 'required';
  incremental: boolean;
  /** True where a sync means asking for every page, and nothing shorter exists. */
  walked?: true;
  /** At most `concurrency` requests at once, starts at least `interval_ms` apart, `timeout_ms` and `max_bytes` a request. */
  pace: { concurrency: number; interval_ms: number; timeout_ms: number; max_bytes: number };
  fetchPage(request: PageRequest): Promise<Page>;
  /** Where its list leaves out what is needed to run listings of this type: how one of them is asked for. */
  detail?: { listing_type: ListingType; fetch(request: DetailRequest): Promise<Detail> };
}
