import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import { briefOf } from '#core/problem/problem.ts';
import { releaseLost } from '#surfaces/conversations/conversations.ts';
import { interrupted } from './refusals.ts';
import { closeLost } from './turns.ts';

/** The recurring job that ends turns whose process was killed, starting at startup. */

export const CLOSE_LOST = 'agent_turns_lost';
const EVERY_MS = 60_000;
const BATCH = 100;

interface CloseLostDeps {
  db: Kysely<Schema>;
  clock: Clock;
}

export const closeLostKind = ({ db, clock }: CloseLostDeps): Record<string, JobKind> => ({
  [CLOSE_LOST]: {
    concurrency: 1,
    handler: async ({ fence }) => {
      const now = isoTime(clock.now());
      await db.transaction().execute(async (trx) => {
        await fence(trx);
        for (const id of await releaseLost(trx, now, BATCH)) await closeLost(trx, id, briefOf(interrupted()), now);
      });
      return { again_at_ms: clock.now() + EVERY_MS };
    },
  },
});
