import type { Kysely } from 'kysely';
import { factsIn, HELD, type Icon } from '#catalog/items/facts.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import type { Log } from '#core/log.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { findContent, saveContent } from './documents.ts';
import type { HostClients } from './host-clients.ts';
import { MAX_ICON_BYTES, mediaTypeOf, type Raster, rasterOf } from './raster.ts';
import type { Room } from './room.ts';

/** The icon of a listing: fetched once, checked, and served from here. An icon that cannot be shown is remembered as none. */

const TIMEOUT_MS = 5_000;
/** Hosts may be away for a while. */
const NONE_KEPT_MS = 7 * 86_400_000;

interface Store {
  db: Kysely<Schema>;
  blobs: BlobStore;
}

interface IconDeps extends Store {
  clock: Clock;
  room: Pick<Room, 'add'>;
  log: Log;
  fetch: OutboundFetch;
  icons: HostClients['icons'];
}

export const hasIcon = ({ facts_held }: Pick<ListingRow, 'facts_held'>): boolean => (facts_held & HELD.icons) !== 0;

/** The one to show; null if none is in a format that is shown. */
function chosen(icons: readonly Icon[] = []): string | null {
  const shown = icons.filter(
    ({ src, mimeType = '' }) =>
      !/svg|gif|x-icon|avif/.test(mimeType) &&
      !/^data:image\/(?!png|jpe?g|webp)|\.(?:svg|gif|ico|avif)(?:[?#]|$)/i.test(src),
  );
  return (shown.find(({ theme }) => theme !== 'dark') ?? shown[0])?.src ?? null;
}

/** Data URLs are long. */
const addressOf = (src: string): string => (src.startsWith('data:') ? `data:${sha256(src)}` : src);

/** Whether the icon was never asked for, or is another one now. */
export async function lacksIcon({ db, clock }: Pick<IconDeps, 'db' | 'clock'>, row: ListingRow): Promise<boolean> {
  const src = hasIcon(row) ? chosen(factsIn(row.facts).icons) : null;
  if (src === null) return false;
  const known = await findContent(db, row, 'icon');
  if (known === undefined || known.url !== addressOf(src)) return true;
  return known.bytes === 0 && known.fetched_at < isoTime(clock.now() - NONE_KEPT_MS);
}

/** Never throws: a listing without its icon has a drawn one. */
export async function fetchIcon(deps: IconDeps, row: ListingRow, signal: AbortSignal): Promise<void> {
  const logged = (error: unknown): null => {
    deps.log.info({ error, provider: row.provider_id, external_id: row.external_id }, 'failed to fetch an icon');
    return null;
  };
  try {
    const src = hasIcon(row) ? chosen(factsIn(row.facts).icons) : null;
    if (src === null || !(await lacksIcon(deps, row))) return;
    const raster = await rasterAt(deps, src, signal).catch(logged);
    if (!signal.aborted) await saveIcon(deps, row, src, raster);
  } catch (error) {
    // The listing may have been purged.
    logged(error);
  }
}

async function saveIcon(
  { db, blobs, clock, room }: IconDeps,
  row: ListingRow,
  src: string,
  raster: Raster | null,
): Promise<void> {
  const bytes = raster?.bytes ?? Buffer.alloc(0);
  await saveContent(db, blobs, row, { kind: 'icon', url: addressOf(src), bytes, fetched_at: isoTime(clock.now()) });
  room.add(row.provider_id, bytes.length);
}

async function rasterAt({ fetch, icons }: IconDeps, src: string, signal: AbortSignal): Promise<Raster | null> {
  if (src.startsWith('data:')) return rasterOf(dataOf(src));
  const response = await icons.run(signal, () =>
    fetch(src, {
      headers: { accept: 'image/png, image/jpeg, image/webp' },
      signal,
      timeout_ms: TIMEOUT_MS,
      max_bytes: MAX_ICON_BYTES,
    }),
  );
  if (response.status === 200) return rasterOf(new Uint8Array(await response.arrayBuffer()));
  await response.body?.cancel().catch(() => {});
  return null;
}

function dataOf(src: string): Uint8Array {
  const comma = src.indexOf(',');
  return src.slice(0, comma).endsWith(';base64') ? Buffer.from(src.slice(comma + 1), 'base64') : Buffer.alloc(0);
}

export interface ShownIcon {
  bytes: Uint8Array;
  media_type: Raster['media_type'];
  digest: string;
}

/** Without a request; null if there is none to show. */
export async function storedIcon({ db, blobs }: Store, row: ListingRow): Promise<ShownIcon | null> {
  const digest = await iconDigest(db, row);
  const bytes = digest === null ? null : await blobs.get(digest);
  const media_type = bytes === null ? null : mediaTypeOf(bytes);
  return digest === null || bytes === null || media_type === null ? null : { bytes, media_type, digest };
}

export async function iconDigest(db: Store['db'], row: ListingRow): Promise<string | null> {
  const known = hasIcon(row) ? await findContent(db, row, 'icon') : undefined;
  return known === undefined || known.bytes === 0 ? null : known.digest;
}
