import type { Kysely } from 'kysely';
import { readSeq } from '#catalog/changes/changes.ts';
import type { Coverage } from '#catalog/items/coverage.ts';
import type { CountedCoverage } from '#catalog/items/describe-stats.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Schema } from '#core/db/schema.ts';
import type { JobHandler } from '#core/jobs/worker.ts';
import { countCoverage } from './coverage.ts';
import type { RunnableDeps } from './runnable.ts';

/** The recurring job that counts the coverage again when listings, probes or settings have changed. */

export const COVERAGE_JOB = 'probes.coverage';
const EVERY_MS = 5 * 60_000;

interface CoverageJobDeps extends RunnableDeps {
  clock: Clock;
  /** The settings that decide which packages are refused. */
  rules: string;
}

export const keepCoverage =
  (deps: CoverageJobDeps): JobHandler =>
  async ({ signal, fence }) => {
    const { db, clock } = deps;
    const counted_for = await stateOf(deps);
    const known = await db.selectFrom('coverage').select('counted_for').limit(1).executeTakeFirst();
    if (known?.counted_for !== counted_for) {
      const counted_at = isoTime(clock.now());
      const found = await countCoverage(deps, signal);
      await db.transaction().execute(async (trx) => {
        await fence(trx);
        await trx.deleteFrom('coverage').execute();
        await trx
          .insertInto('coverage')
          .values(
            found.map(({ provider, coverage }) => ({
              provider_id: provider,
              counted_at,
              counted_for,
              figures: JSON.stringify(coverage),
            })),
          )
          .execute();
      });
    }
    return { again_at_ms: clock.now() + EVERY_MS };
  };

async function stateOf({ db, is_on, packages_on, rules }: CoverageJobDeps): Promise<string> {
  const { current } = await readSeq(db);
  const { at } = await db
    .selectFrom('probe_targets')
    .select((eb) => eb.fn.max('last_probed_at').as('at'))
    .executeTakeFirstOrThrow();
  return sha256(JSON.stringify([current, at, is_on, packages_on, rules]));
}

/** Null before the first count. */
export async function readCoverage(db: Kysely<Schema>): Promise<CountedCoverage | null> {
  const rows = await db.selectFrom('coverage').selectAll().execute();
  const [first] = rows;
  if (first === undefined) return null;
  const by_provider = new Map(rows.map(({ provider_id, figures }) => [provider_id, JSON.parse(figures) as Coverage]));
  return { counted_at: first.counted_at, by_provider };
}
