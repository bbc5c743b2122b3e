import type { Connection } from '#core/db/connection.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { foundMeasures } from './found-flags.ts';
import { groupOf, idsOf } from './group.ts';
import { historyOf } from './history.ts';
import { appealsAgainst } from './measures.ts';
import { type MeasureOn, moderationShown } from './shapes.ts';
import {
  type CapabilityStanding,
  type Measure,
  measuresOfListings,
  NOTHING_AGAINST,
  standingOf,
} from './standing-of.ts';

/** Active actions on a capability and their history. Throws 404 for an unknown id. */
export async function readModeration({ db, engine }: Pick<MarketplaceDeps, 'db' | 'engine'>, id: string) {
  const { id: standsId, members } = await groupOf(db, id);
  const connection = connectionOver(db, engine);
  const standing = (await standingOf(connection, [standsId])).get(standsId) ?? NOTHING_AGAINST;
  const found = await foundOn({ db, engine }, standsId);
  const measures = [...(await measuresOn(connection, standsId, standing)), ...found];
  const history = await historyOf(
    db,
    idsOf(members),
    measures.map((measure) => measure.id),
  );
  return moderationShown(standsId, standing, measures, history);
}

async function measuresOn(
  connection: Pick<Connection, 'query'>,
  id: string,
  { takedown, flags }: CapabilityStanding,
): Promise<MeasureOn[]> {
  const whole = new Set([takedown, ...flags].flatMap((flag) => flag?.id ?? []));
  const rows = Map.groupBy(await measuresOfListings(connection, id), (measure) => measure.id);
  return [...rows.values()].map((of) => {
    const [{ provider: _, external_id: __, ...measure }] = of as [(typeof of)[number]];
    const listings = of.map(({ provider, external_id }) => ({ provider, external_id }));
    return { ...measure, listings, whole: whole.has(measure.id) };
  });
}

/** Findings and verdicts on the current content of its listings. */
async function foundOn({ db, engine }: Pick<MarketplaceDeps, 'db' | 'engine'>, id: string): Promise<MeasureOn[]> {
  const found = await foundMeasures(connectionOver(db, engine), id);
  return Promise.all(
    found.map(async ({ measure_id, capability_id, provider, external_id, ...told }) => {
      const [made] = await appealsAgainst(db, measure_id, [capability_id]);
      return {
        ...told,
        id: measure_id,
        measure: 'flag' as const,
        by: 'automatic' as const,
        appeal: (made?.status ?? 'none') as Measure['appeal'],
        listings: [{ provider, external_id }],
        whole: true,
      };
    }),
  );
}
