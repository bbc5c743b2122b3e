import { isoTime } from '#core/clock/clock.ts';
import { compile } from '#core/json-schema/compile.ts';
import { Item, type Listing } from './item.ts';

/** Validates listings of syncs and imports before they are saved. */

const item = compile(Item);
const keys = Object.keys(Item.properties) as (keyof Item)[];
/** PostgreSQL cannot index keys longer than 2.7 KB. */
const MAX_ID_BYTES = 1_024;
const MAX_RECORD_BYTES = 1_048_576;
const MAX_TEXT = {
  name: 1_000,
  description: 16_000,
  version: 500,
  author: 1_000,
  homepage: 4_000,
  license: 1_000,
  repository: 4_000,
};
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Why the listing is invalid; null if it is valid. */
export function invalidReason(listing: Listing): string | null {
  const picked = Object.fromEntries(keys.map((key) => [key, listing[key]]));
  if (!item.check(picked)) {
    const [error] = item.errors(picked);
    return error === undefined ? 'is not a registry item' : `${error.instancePath.slice(1) || 'item'} ${error.message}`;
  }
  return wrongId(listing) ?? wrongNumber(listing) ?? wrongTime(listing) ?? tooLong(listing);
}

function wrongId({ external_id, source, provider_id, aliases }: Listing): string | null {
  if (source !== provider_id) return 'source and provider_id differ';
  for (const id of [external_id, ...aliases]) {
    if (Buffer.byteLength(id) > MAX_ID_BYTES) return `external_id is longer than ${MAX_ID_BYTES} bytes`;
    if (id.includes('\0') || !id.isWellFormed()) return 'external_id contains NUL or lone surrogates';
  }
  return null;
}

function wrongNumber(listing: Listing): string | null {
  for (const key of ['downloads', 'stars'] as const) {
    if (!Number.isSafeInteger(listing[key])) return `${key} is too large`;
  }
  return null;
}

const wrongTime = ({ external_updated_at: time }: Listing): string | null =>
  time === null || (TIME.test(time) && isDay(time)) ? null : 'external_updated_at is not an ISO 8601 UTC time';

/** JavaScript reads days that do not exist, such as February 30, as later ones. */
function isDay(time: string): boolean {
  const ms = Date.parse(time);
  return !Number.isNaN(ms) && isoTime(ms).slice(0, 10) === time.slice(0, 10);
}

function tooLong(listing: Listing): string | null {
  for (const [key, max] of Object.entries(MAX_TEXT)) {
    if (listing[key as keyof typeof MAX_TEXT].length > max) return `${key} is longer than ${max} characters`;
  }
  const rest = [listing.description, listing.tags, listing.install, listing.manifest];
  return JSON.stringify(rest).length > MAX_RECORD_BYTES ? 'the record is larger than 1 MiB' : null;
}
