import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Kysely } from 'kysely';
import { pagePath } from '#catalog/items/item-path.ts';
import { idBefore, placesAfter } from '#catalog/items/read-places.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Xml, xml } from '#surfaces/interop/xml.ts';

/** Sitemaps (sitemaps.org 0.9): everything that crawlers may read. */

/** Maximum number of URLs in a part. */
export const URLS = 50_000;
const PAGE = 1_000;

export const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const OPEN = `${HEAD}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`;
const CLOSE = '</urlset>\n';

export const urlEntry = (url: string, changed_at: string | null): Xml =>
  xml`<url><loc>${url}</loc>${isTime(changed_at) ? xml`<lastmod>${changed_at as string}</lastmod>` : null}</url>\n`;

const isTime = (text: string | null): boolean =>
  text !== null && !Number.isNaN(Date.parse(text)) && isoTime(Date.parse(text)) === text;

export const urlSet = (entries: readonly Xml[]): string => OPEN + entries.map((html) => html.html).join('') + CLOSE;

/** The listings of one provider from an offset on, in chunks; null if there are none. */
export async function listingPart(
  { db, base_url }: { db: Kysely<Schema>; base_url: string },
  provider_id: string,
  part: number,
): Promise<AsyncGenerator<string> | null> {
  const before = await idBefore(db, provider_id, (part - 1) * URLS);
  if (before === null) return null;
  return (async function* () {
    yield OPEN;
    let after = before;
    for (let sent = 0; sent < URLS; sent += PAGE) {
      const places = await placesAfter(db, provider_id, after, PAGE);
      yield places
        .map((place) => urlEntry(base_url + pagePath(provider_id, place.external_id), place.changed_at).html)
        .join('');
      if (places.length < PAGE) break;
      after = places.at(-1)?.external_id ?? '';
    }
    yield CLOSE;
  })();
}

/** Sitemaps are repetitive: cached in compressed form, they take a twentieth. */
export async function pack(chunks: AsyncIterable<string>): Promise<Uint8Array> {
  const packed: Buffer[] = [];
  const taken = new PassThrough().on('data', (chunk: Buffer) => packed.push(chunk));
  await pipeline(Readable.from(chunks), createGzip({ level: 1 }), taken);
  return Buffer.concat(packed);
}

export const unpack = (bytes: Uint8Array): AsyncIterable<Uint8Array> => Readable.from([bytes]).pipe(createGunzip());
