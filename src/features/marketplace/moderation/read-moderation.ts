import { connectionOver } from '../../../platform/db/connection-over.ts';
import type { MarketplaceDeps } from '../deps.ts';
import { groupOf, idsOf } from './group.ts';
import { historyOf } from './history.ts';
import { measuresOn } from './measures.ts';
import { moderationShown } from './shapes.ts';
import { NOTHING_AGAINST, standingOf } from './standing-of.ts';

/** What stands against a capability and how that came about; 404 for an id that was never given. */
export async function readModeration({ db, engine }: Pick<MarketplaceDeps, 'db' | 'engine'>, id: string) {
  const { id: stands_id, members } = await groupOf(db, id);
  const standing = await standingOf(connectionOver(db, engine), [stands_id]);
  const measures = await measuresOn(db, idsOf(members));
  const ids = [...new Set(measures.map(({ measure_id }) => measure_id))];
  return moderationShown(
    stands_id,
    standing.get(stands_id) ?? NOTHING_AGAINST,
    await historyOf(db, idsOf(members), ids),
  );
}
