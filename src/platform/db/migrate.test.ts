import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { eachDatabase } from '../../../test/databases.ts';
import { migrate, pendingMigrations, splitStatements } from './migrate.ts';
import { openDatabase } from './open.ts';

eachDatabase('migrating', (open) => {
  test('a fresh database gets every migration once', async () => {
    const database = await open();
    assert.deepEqual(await migrate(database), []);
    assert.deepEqual(await pendingMigrations(database), []);
    const applied = await database.db.selectFrom('schema_migrations').select('name').orderBy('version').execute();
    const files = (await readdir(new URL('../../../db/migrations/', import.meta.url))).sort();
    assert.deepEqual(
      applied.map(({ name }) => `${name}.sql`),
      files,
    );
  });

  test('a database newer than the program is refused with what to do', async () => {
    const database = await open();
    await database.db
      .insertInto('schema_migrations')
      .values({ version: 9_999, name: '9999-later', applied_at: '2026-01-01T00:00:00.000Z' })
      .execute();
    await assert.rejects(migrate(database), { code: 'database.newer_than_program', message: /newer program/ });
  });

  test('two programs that migrate at once apply each migration once', async () => {
    const first = await open();
    await first.db.deleteFrom('schema_migrations').where('version', '>', 0).execute();
    for (const table of [
      ...['connection_flows', 'connection_grants', 'connection_tools', 'connection_secrets', 'connections'],
      ...['log_checkpoints', 'log_nodes', 'receipts', 'run_intents', 'task_events', 'tasks'],
      ...[
        'audit_entries',
        'idempotency_keys',
        'rate_windows',
        'quota_days',
        'api_keys',
        'sign_ins',
        'signing_keys',
        'google_flows',
      ],
      ...['email_tokens', 'challenges', 'google_accounts', 'emails', 'wallets', 'users'],
      'spans',
      'sync_states',
      'rejected_records',
      'listing_aliases',
      'listings',
      'jobs',
      'change_counters',
    ])
      await first.db.schema.dropTable(table).execute();
    const second = await openDatabase(first.config);
    const applied = (await Promise.all([migrate(first), migrate(second)])).flat();
    await second.close();
    assert.equal(applied.length, new Set(applied).size);
    assert.ok(applied.length > 0);
  });
});

test('statements are split at line ends, comments left out', () => {
  assert.deepEqual(splitStatements("-- why\nCREATE TABLE a (b TEXT DEFAULT 'x;y');\n\nDROP TABLE a;\n"), [
    "CREATE TABLE a (b TEXT DEFAULT 'x;y')",
    'DROP TABLE a',
  ]);
});
