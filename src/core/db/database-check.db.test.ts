import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { eachDatabase, sqliteConfig } from '#test/databases.ts';
import { found } from '#test/doctor-stand.ts';
import { databaseCheck } from './database-check.ts';
import { readMigrationState } from './migrate.ts';
import { migrationsCheck } from './migrations-check.ts';
import { type DatabaseConfig, openDatabase } from './open.ts';

async function lookAt(config: DatabaseConfig) {
  const database = await openDatabase(config);
  const findings = await found(databaseCheck(database, config));
  await database.close();
  return findings;
}

eachDatabase('doctor check of the database', (open, engine) => {
  test('doctor reports the database engine, its size and whether commits are durable', async () => {
    const { config } = await open();
    const findings = await lookAt(config);
    if (engine === 'sqlite') {
      assert.match(findings[0] as string, /^ok: SQLite \d.* (k|M)B in .*capstan\.db\.$/);
      assert.match(findings[1] as string, /^ok: Write-ahead log/);
    } else {
      // The test server runs without durability.
      assert.match(findings[0] as string, /^ok: PostgreSQL \d.* MB\.$/);
      const amiss = findings.slice(1, -1).map((finding) => finding.replace(/ is off.*→ /, ' '));
      assert.match(amiss[0] as string, /^fail: fsync psql -c 'ALTER SYSTEM SET fsync = on'/);
      assert.match(amiss[1] as string, /^fail: full_page_writes psql/);
      assert.match(amiss[2] as string, /^warn: synchronous_commit psql/);
      assert.match(findings.at(-1) as string, /^ok: \d+ of \d+ connections/);
    }
  });

  test('doctor reports pending, modified and skipped migrations, and a schema newer than the program', async () => {
    const database = await open();
    const { db } = database;
    const look = async () => found(migrationsCheck(await readMigrationState(database)));
    assert.match((await look()).join(), /^ok: All \d+ migrations are applied/);
    await db.updateTable('schema_migrations').set({ digest: 'x' }).where('version', '=', 2).execute();
    assert.match((await look()).join(), /^fail: Modified .* 0002-registry\./);
    await db.deleteFrom('schema_migrations').where('version', '>', 3).execute();
    assert.match((await look()).join(), /^warn: Pending: 0004-identity, .* → Run capstand migrate.*fail: Modified/);
    await db.insertInto('schema_migrations').values({ version: 9_999, name: 'later', applied_at: 'x' }).execute();
    assert.match((await look()).join(), /^fail: The database has schema version 9999; .*fail: Skipped.*0004-identity/);
  });

  test('doctor reports a damaged or unreachable database with a fix, and without its password', async () => {
    const { config } = await open();
    if (config.engine === 'sqlite') {
      const broken = await sqliteConfig();
      await writeFile(broken.config.path, 'this was a database');
      assert.match((await lookAt({ ...broken.config, read_only: true })).join(), /^fail: .*damaged.* → .*backup/);
      await broken.drop();
      assert.deepEqual(await found(databaseCheck(null, config)), [
        'ok: No database yet. The first start creates it in DATA_DIR.',
      ]);
      return;
    }
    const at = (change: Partial<URL>) => ({ ...config, url: Object.assign(new URL(config.url), change).href });
    assert.match(
      (await lookAt(at({ pathname: '/no%20such' }))).join(),
      /^fail: .* has no database no such\. → createdb/,
    );
    assert.match(
      (await lookAt(at({ password: 'hunter2' }))).join(),
      /^fail: PostgreSQL at [^ ]+ rejects the user \(28P01\)/,
    );
    assert.match(
      (await lookAt(at({ port: '9' }))).join(),
      /^fail: PostgreSQL at 127\.0\.0\.1:9 is unreachable \(ECONNREFUSED\)/,
    );
  });
});
