import type { CapabilityJudgementRow, CapabilityLinkRow, CapabilityRow } from '#core/db/schema-capabilities.ts';
import { type Db, TRAIT_COLUMNS } from './link-store.ts';
import type { TraitRow } from './traits.ts';

/** The linker's tables read from end to end, in pages: of a million rows no more than one page is held here. */

const PAGE = 1_000;

async function* pagesOf<T>(read: (after: T | null) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let after: T | null = null; ; ) {
    const page = await read(after);
    if (page.length > 0) yield page;
    after = page.at(-1) ?? null;
    if (page.length < PAGE) return;
    // Word to stop comes in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export type LiveListing = TraitRow & { seq: number };

export const liveListings = (db: Db): AsyncGenerator<LiveListing[]> =>
  pagesOf((after) =>
    db.query(
      `SELECT ${TRAIT_COLUMNS}, l.seq FROM listings l WHERE (l.provider_id, l.external_id) > (?, ?)
       AND l.removed_at IS NULL ORDER BY l.provider_id, l.external_id LIMIT ${PAGE}`,
      [after?.provider_id ?? '', after?.external_id ?? ''],
    ),
  );

export const allCapabilities = (db: Db): AsyncGenerator<CapabilityRow[]> =>
  pagesOf((after) => db.query(`SELECT * FROM capabilities WHERE id > ? ORDER BY id LIMIT ${PAGE}`, [after?.id ?? '']));

export const allLinks = (db: Db): AsyncGenerator<CapabilityLinkRow[]> =>
  pagesOf((after) =>
    db.query(`SELECT * FROM capability_links WHERE (a_id, b_id) > (?, ?) ORDER BY a_id, b_id LIMIT ${PAGE}`, [
      after?.a_id ?? '',
      after?.b_id ?? '',
    ]),
  );

export const allJudgements = (db: Db): Promise<CapabilityJudgementRow[]> =>
  db.query('SELECT * FROM capability_judgements');

/** How many listings there are, and how many of them changed after this number. */
export async function countListings(db: Db, seq: number): Promise<{ all: number; changed: number }> {
  const [row] = await db.query<{ all: number; changed: number }>(
    'SELECT (SELECT COUNT(*) FROM listings) AS "all", (SELECT COUNT(*) FROM listings WHERE seq > ?) AS changed',
    [seq],
  );
  return { all: Number(row?.all ?? 0), changed: Number(row?.changed ?? 0) };
}
