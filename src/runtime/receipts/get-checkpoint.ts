import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { coreProblem } from '#core/errors.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { receiptsContract } from './contract.ts';
import { newestCheckpoint, readProof } from './log.ts';
import { consistencySteps } from './merkle.ts';
import type { Receipts } from './receipts.ts';

interface CheckpointDeps {
  db: Kysely<Schema>;
  receipts: Pick<Receipts, 'log'>;
  origin: string;
}

export const getCheckpoint =
  ({ db, receipts, origin }: CheckpointDeps): Handler<typeof receiptsContract.getCheckpoint> =>
  async ({ query }) => {
    await receipts.log();
    const newest = await newestCheckpoint(db);
    const size = newest?.size ?? 0;
    const { since } = query;
    if (since !== undefined && since > size)
      throw coreProblem(
        'http.invalid',
        `The log has ${size} entries, fewer than since=${since}. If you have a checkpoint of this log with ${since} entries, keep it: it proves that the log was truncated.`,
        { reason: 'input', errors: [{ pointer: '/since', detail: `must be at most ${size}` }] },
      );
    const steps = since === undefined || since === 0 || since === size ? [] : consistencySteps(since, size);
    return json(
      {
        origin,
        size,
        checkpoint: newest?.note ?? null,
        consistency: since === undefined ? null : { since, proof: await readProof(db, steps) },
      },
      { cache_control: 'no-cache' },
    );
  };
