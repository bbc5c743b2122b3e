import type { Connection } from '../../../platform/db/connection.ts';
import { connectionOver } from '../../../platform/db/connection-over.ts';
import type { MarketplaceDeps } from '../deps.ts';
import { groupOf, idsOf } from './group.ts';
import { historyOf } from './history.ts';
import { type MeasureOn, moderationShown } from './shapes.ts';
import { type CapabilityStanding, measuresOfListings, NOTHING_AGAINST, standingOf } from './standing-of.ts';

/** What stands against a capability and how that came about; 404 for an id that was never given. */
export async function readModeration({ db, engine }: Pick<MarketplaceDeps, 'db' | 'engine'>, id: string) {
  const { id: stands_id, members } = await groupOf(db, id);
  const connection = connectionOver(db, engine);
  const standing = (await standingOf(connection, [stands_id])).get(stands_id) ?? NOTHING_AGAINST;
  const measures = await measuresOn(connection, stands_id, standing);
  const history = await historyOf(
    db,
    idsOf(members),
    measures.map((it) => it.id),
  );
  return moderationShown(stands_id, standing, measures, history);
}

async function measuresOn(
  connection: Pick<Connection, 'query'>,
  id: string,
  { takedown, flags }: CapabilityStanding,
): Promise<MeasureOn[]> {
  const whole = new Set([takedown, ...flags].flatMap((it) => it?.id ?? []));
  const rows = Map.groupBy(await measuresOfListings(connection, id), (it) => it.id);
  return [...rows.values()].map((of) => {
    const [{ provider: _, external_id: __, ...measure }] = of as [(typeof of)[number]];
    const listings = of.map(({ provider, external_id }) => ({ provider, external_id }));
    return { ...measure, listings, whole: whole.has(measure.id) };
  });
}
