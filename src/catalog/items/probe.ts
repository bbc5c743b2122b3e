import type { Kysely } from 'kysely';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { itemsContract } from './contract.ts';
import { findLiveListing } from './live-listing.ts';
import type { ProbeAsked, ReadRunnable } from './runnable.ts';

interface ProbeItemDeps {
  db: Kysely<Schema>;
  clock: Clock;
  runnable: ReadRunnable;
  probeAsked: ProbeAsked;
}

/** POST /api/marketplace/registry/probe */
export const probeItem =
  ({ db, clock, runnable, probeAsked }: ProbeItemDeps): Handler<typeof itemsContract.probe> =>
  async ({ body: { provider, id } }) => {
    const row = await findLiveListing(db, { provider, external_id: id }, clock.now());
    await probeAsked(row);
    const ran = await runnable(row);
    return json({ runnable: ran.runnable });
  };
