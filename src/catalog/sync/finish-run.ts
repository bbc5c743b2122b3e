import type { Kysely } from 'kysely';
import { catalogProblem } from '#catalog/errors.ts';
import { countLive, removeMissing, removeStillMissing, type Save } from '#catalog/items/items.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Problem } from '#core/problem/problem.ts';
import { clearRejected, countRejected } from './rejected.ts';
import { packError, type SyncState } from './sync-states.ts';

/** What ending a run needs in addition to its state. */
export interface Ending {
  /** Validators for the next run as JSON; null if the provider sent none. */
  validators: string | null;
  next_run_at: string;
  /** Whether an operator accepts far fewer listings than before. */
  accept_fewer: boolean;
}

/** Ends a run that has read all pages. Missing listings are counted as missing, unless far too many are. */
export async function finishRun(trx: Kysely<Schema>, state: SyncState, save: Save, ending: Ending): Promise<SyncState> {
  if (state.mode === 'incremental') return succeeded(state, save.now, ending);
  // The first full run is compared with the imported listings.
  const before = state.last_full_seen ?? (await countLive(trx, state.provider_id)) - state.added;
  if (state.seen * 2 < before && !ending.accept_fewer) {
    return {
      ...ended(state, save.now, ending),
      status: 'partial',
      error: packError(farFewer(state, before)),
    };
  }
  const removed = await removeMissing(trx, state.provider_id, save);
  await clearRejected(trx, state.provider_id, state.run_id);
  return {
    ...succeeded(state, save.now, ending),
    validators: ending.validators ?? '{}',
    removed: state.removed + removed,
    last_full_seen: state.seen,
    last_full_at: save.now,
  };
}

/** Ends a run whose provider answered 304. Listings missing from the last full run are still missing. */
export const finishUnchanged = async (
  trx: Kysely<Schema>,
  state: SyncState,
  save: Save,
  ending: Ending,
): Promise<SyncState> => ({
  ...succeeded(state, save.now, ending),
  seen: state.last_full_seen ?? 0,
  removed: await removeStillMissing(trx, state.provider_id, save),
  rejected: await countRejected(trx, state.provider_id),
  last_full_at: save.now,
});

const ended = (state: SyncState, now: string, { next_run_at }: Ending): SyncState => ({
  ...state,
  finished_at: now,
  next_run_at,
  cursor: null,
  failures: 0,
});

const succeeded = (state: SyncState, now: string, ending: Ending): SyncState => ({
  ...ended(state, now, ending),
  status: 'succeeded',
  error: null,
  last_success_at: now,
  watermark: greater(state.watermark, state.max_watermark),
});

const farFewer = ({ provider_id, seen }: SyncState, before: number): Problem =>
  catalogProblem(
    'registry.provider_failed',
    `The provider sent ${seen} listings, ${before} before. No listing was removed. ` +
      `To accept the smaller number, run capstand sync ${provider_id} --accept-fewer.`,
    { reason: 'shrunk' },
  );

export const greater = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b > a) ? b : a;
