import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { listMigrations } from '#core/db/migrations.ts';
import { eachDatabase, postgresConfig, sqliteConfig } from '../databases.ts';
import { checkMeaning } from './meaning.ts';
import { schemaOf } from './schema-of.ts';
import { listStored } from './stored-database.ts';
import { upgrade } from './upgraded.ts';

/** A few of what `npm run soak -- upgrades` tries: all of them, on both engines, with what each still means. */

/** The first that has accounts and runs. */
const LOOKED_INTO = 6;

eachDatabase('a database of a former version', (open, engine) => {
  test('is upgraded to the current schema and keeps every row', async () => {
    const fresh = await schemaOf(await open());
    const all = await listStored(engine);
    assert.ok(all.length >= 5);
    // The oldest goes through every migration since.
    for (const stored of engine === 'sqlite' ? all : all.slice(0, 1)) {
      const { config, drop } = await (engine === 'sqlite' ? sqliteConfig : postgresConfig)();
      await upgrade(stored, config, fresh);
      if (stored.version === LOOKED_INTO) await checkMeaning(config, stored.version);
      await drop();
    }
  });
});

test('there is a stored database of the latest released version', async () => {
  const changelog = await readFile(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const [, heading = ''] = /^## (\d.*)$/m.exec(changelog) ?? [];
  // Until the next release, the schema may be newer.
  const pending = (await readdir(new URL('../../.changeset/', import.meta.url))).filter((name) =>
    /^(?!README).*\.md$/.test(name),
  );
  if (heading.includes('unreleased') || pending.length > 0) return;
  const newest = (await listMigrations()).at(-1)?.version;
  for (const engine of ['sqlite', 'postgres'] as const)
    assert.equal((await listStored(engine)).at(-1)?.version, newest, 'npm run soak -- upgrades make');
});
