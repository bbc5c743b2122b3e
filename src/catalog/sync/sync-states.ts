import type { Kysely } from 'kysely';
import type { ProviderId } from '#catalog/items/kinds.ts';
import type { Schema, SyncStateRow } from '#core/db/schema.ts';
import { briefOf, type Problem, type ProblemBrief } from '#core/problem/problem.ts';

/** The only SQL that names `sync_states`: one row per provider with its current or last run. */

type Db = Kysely<Schema>;

export const SYNC_STATUSES = ['never', 'running', 'succeeded', 'partial', 'failed', 'disabled'] as const;
export type SyncState = SyncStateRow;

/** The counters of a new run. */
export const NO_COUNTS = { seen: 0, total: null, added: 0, updated: 0, removed: 0, rejected: 0 };

const NONE: Omit<SyncState, 'provider_id'> = {
  status: 'never',
  mode: 'full',
  run_id: '',
  started_at: null,
  finished_at: null,
  cursor: null,
  watermark: null,
  max_watermark: null,
  validators: '{}',
  ...NO_COUNTS,
  error: null,
  failures: 0,
  last_full_seen: null,
  last_full_at: null,
  last_success_at: null,
  next_run_at: null,
};

export async function readSyncState(db: Db, provider_id: ProviderId): Promise<SyncState> {
  const row = await db.selectFrom('sync_states').selectAll().where('provider_id', '=', provider_id).executeTakeFirst();
  return row ?? { ...NONE, provider_id };
}

export const readSyncStates = (db: Db): Promise<SyncState[]> => db.selectFrom('sync_states').selectAll().execute();

export async function writeSyncState(trx: Db, state: SyncState): Promise<void> {
  const { provider_id: _, ...rest } = state;
  await trx
    .insertInto('sync_states')
    .values(state)
    .onConflict((conflict) => conflict.column('provider_id').doUpdateSet(rest))
    .execute();
}

/** Whether this process's configuration excludes the provider. A run by another process is still shown. */
export const isLeftOut = (
  provider: ProviderId,
  state: Pick<SyncState, 'status'> | undefined,
  enabled: readonly ProviderId[],
): boolean => !enabled.includes(provider) && state?.status !== 'running';

/** An error as stored and as the API shows it: `{code, reason, detail}` in JSON. */
export const packError = (problem: Problem): string => JSON.stringify(briefOf(problem));

export const errorOf = ({ error }: Pick<SyncState, 'error'>): ProblemBrief | null =>
  error === null ? null : JSON.parse(error);
