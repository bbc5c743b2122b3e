import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { eachDatabase, postgresConfig, sqliteConfig } from '#test/databases.ts';
import { migrate, readMigrationState } from './migrate.ts';
import { splitStatements } from './migrations.ts';
import { openDatabase } from './open.ts';

eachDatabase('migrations', (open, engine) => {
  test('applies every migration once to a new database', async () => {
    const { config, drop } = await (engine === 'sqlite' ? sqliteConfig : postgresConfig)();
    const database = await openDatabase(config);
    const before = await readMigrationState(database);
    const all = before.pending.map((migration) => migration.version);
    assert.deepEqual([before.current, before.newest], [0, all.at(-1)]);
    assert.deepEqual(await migrate(database), all);
    assert.deepEqual(await migrate(database), []);
    const now = { current: before.newest, newest: before.newest, pending: [], edited: [], left_out: [] };
    assert.deepEqual(await readMigrationState(database), now);
    const applied = await database.db.selectFrom('schema_migrations').select('name').orderBy('version').execute();
    const files = (await readdir(new URL('../../../db/migrations/', import.meta.url))).sort();
    assert.deepEqual(
      applied.map(({ name }) => `${name}.sql`),
      files,
    );
    assert.equal(all.length, files.length);
    await database.close();
    await drop();
  });

  test('a database newer than the program is refused', async () => {
    const database = await open();
    await database.db
      .insertInto('schema_migrations')
      .values({ version: 9_999, name: '9999-later', applied_at: '2026-01-01T00:00:00.000Z' })
      .execute();
    await assert.rejects(migrate(database), { code: 'database.unavailable', message: /newer program/ });
  });

  test('an edited, renamed or skipped migration is reported', async () => {
    const database = await open();
    const set = (version: number, row: { digest?: string; name?: string }) =>
      database.db.updateTable('schema_migrations').set(row).where('version', '=', version).execute();
    await set(2, { digest: 'another' });
    await set(3, { name: '0003-elsewhere' });
    await database.db.deleteFrom('schema_migrations').where('version', '=', 4).execute();
    const { edited, left_out, pending } = await readMigrationState(database);
    const told = [edited, left_out, pending].map((list) => list.map((migration) => migration.version));
    assert.deepEqual(told, [[2, 3], [4], []]);
  });

  test('two programs that migrate concurrently apply each migration once', async () => {
    const { config, drop } = await (engine === 'sqlite' ? sqliteConfig : postgresConfig)();
    const programs = await Promise.all([openDatabase(config), openDatabase(config)]);
    const applied = (await Promise.all(programs.map(migrate))).flat();
    for (const program of programs) await program.close();
    await drop();
    assert.equal(applied.length, new Set(applied).size);
    assert.ok(applied.length > 0);
  });
});

test('a migration file is split into statements at line ends, without comments', () => {
  assert.deepEqual(splitStatements("-- why\nCREATE TABLE a (b TEXT DEFAULT 'x;y');\n\nDROP TABLE a;\n"), [
    "CREATE TABLE a (b TEXT DEFAULT 'x;y')",
    'DROP TABLE a',
  ]);
});
