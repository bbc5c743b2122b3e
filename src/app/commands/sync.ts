import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PROVIDERS, type ProviderId } from '#catalog/items/kinds.ts';
import { orderSync } from '#catalog/sync/order-sync.ts';
import { readSyncState, type SyncState } from '#catalog/sync/sync-states.ts';
import { OPERATOR_CLI } from '#core/audit/audit.ts';
import { systemClock } from '#core/clock/clock.ts';
import { coreProblem } from '#core/errors.ts';
import { createLog } from '#core/log.ts';
import { type Config, readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';
import { nextSignal } from './signals.ts';

const POLL_MS = 250;

export const syncCommand: Command = {
  summary: 'sync all providers, or the named ones, and wait for the result',
  usage: 'sync [PROVIDER…] [--changes-only] [--accept-fewer]',
  run: async (argv) => {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        'changes-only': { type: 'boolean', default: false },
        'accept-fewer': { type: 'boolean', default: false },
      },
    });
    const config = readProgramConfig(process.env);
    const ids = chosen(positionals, config);
    // Syncs only the requested providers, whatever else is due.
    const only = { ...config, registry: { ...config.registry, providers: [...ids] } };
    const { createApp } = await import('../app.ts');
    const app = await createApp({ config: only, log: createLog(config.server.log_level), role: 'work' });
    const interrupted = nextSignal().then((): SyncState[] => []);
    try {
      const before = await Promise.all(ids.map((id) => readSyncState(app.database.db, id)));
      const order = { full: !values['changes-only'], accept_fewer: values['accept-fewer'] };
      const deps = { db: app.database.db, clock: systemClock, sync: app.sync };
      for (const id of ids) await orderSync(deps, { actor: OPERATOR_CLI }, id, order);
      const read = (id: ProviderId) => readSyncState(app.database.db, id);
      const ended = await Promise.race([interrupted, Promise.all(before.map((syncState) => newer(syncState, read)))]);
      for (const state of ended) process.stdout.write(`${line(state)}\n`);
      return ended.length > 0 && ended.every((syncState) => syncState.status === 'succeeded') ? 0 : 1;
    } finally {
      await app.close();
    }
  },
};

function chosen(names: string[], config: Config): ProviderId[] {
  const unknown = names.filter((name) => !(PROVIDERS as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw coreProblem(
      'command.invalid',
      `Unknown provider: ${unknown.join(', ')}. Providers: ${PROVIDERS.join(', ')}.`,
      { reason: 'provider' },
    );
  return names.length > 0 ? (names as ProviderId[]) : [...config.registry.providers];
}

/** Waits until the run after `before` has ended, in whichever process. */
async function newer(before: SyncState, read: (id: ProviderId) => Promise<SyncState>): Promise<SyncState> {
  for (;;) {
    const state = await read(before.provider_id as ProviderId);
    if (state.finished_at !== null && state.finished_at !== before.finished_at && state.status !== 'running')
      return state;
    await sleep(POLL_MS);
  }
}

function line(state: SyncState): string {
  const { provider_id, status, mode, seen, added, updated, removed, rejected, error } = state;
  const why = error === null ? '' : `: ${(JSON.parse(error) as { detail: string }).detail}`;
  return `${provider_id} ${status} (${mode}): ${seen} seen, ${added} added, ${updated} updated, ${removed} removed, ${rejected} rejected${why}`;
}
