import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { type Place, placeOf } from './place.ts';

/** Whether other capabilities have the same repository; `written` is its address in this one's listing. */
export async function isShared(
  db: Kysely<Schema>,
  { host, repository }: Place,
  written: string,
  stands_id: string,
): Promise<boolean> {
  const starts = new Set([
    `https://${host}/${repository}`,
    written
      .split('/')
      .slice(0, 5)
      .join('/')
      .replace(/\.git$/, ''),
  ]);
  for (const start of starts)
    if (start !== '' && (await othersFrom(db, start, stands_id)).some((row) => placeOf(row)?.repository === repository))
      return true;
  return false;
}

/** Includes repositories whose names start with this one. */
const MOST = 50;

const othersFrom = (db: Kysely<Schema>, start: string, standsId: string) =>
  db
    .selectFrom('listings')
    .innerJoin('capabilities', (join) =>
      join
        .onRef('capabilities.provider_id', '=', 'listings.provider_id')
        .onRef('capabilities.external_id', '=', 'listings.external_id'),
    )
    .select(['repository', 'homepage', 'install', 'manifest'])
    .where('repository', '<>', '')
    .where('repository', '>=', start)
    .where('repository', '<', `${start}\u{7f}`)
    .where('stands_id', '<>', standsId)
    .where('listings.removed_at', 'is', null)
    .limit(MOST)
    .execute();
