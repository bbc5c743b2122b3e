import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import { createUser } from '#accounts/users/users.ts';
import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { commandLines, FREE, PATH, packagedFixture, saved } from '../packaged-stand.ts';
import { noPackagesHere } from '../packages/runtime.ts';
import { until } from '../until.ts';
import { type Capstand, capstand } from './capstand.ts';

/** A service that is killed cannot end its boxes; they have to end by themselves. */

const skip = await noPackagesHere();
/** In the command line of every server that this file starts. */
const PORT = `47${process.pid}`;
const NOW = '2026-01-01T00:00:00.000Z';

test('kill -9 of the service ends its packaged servers, and the next start runs them again', { skip }, async () => {
  const fixture = await packagedFixture();
  const data_dir = await fixture.prepare('probe');
  const database = await openDatabase({ engine: 'sqlite', path: join(data_dir, 'capstan.db'), thread: 'same' });
  await migrate(database);
  await saved(database, 'com.example/probe', FREE);
  const { id: user_id } = await createUser(database.db, 'Ada', NOW);
  const { key } = await createApiKey(
    database.db,
    { user_id, name: 'key', scopes: ['read', 'write'], expires_at: null },
    NOW,
  );
  await database.close();
  const env = { DATA_DIR: data_dir, CAPSTAN_NPM_REGISTRY: fixture.registry.url };
  const serve = () => capstand(['serve'], env);
  const ask = async (service: Capstand, path: string, body: object) => {
    const answer = await fetch(`${await service.url()}${PATH}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as { id: string; status: string } };
  };
  const first = serve();
  after(() => first.child.kill('SIGKILL'));
  const listing = { provider: 'mcp-registry', external_id: 'com.example/probe' };
  const made = await ask(first, '', { listing, variables: { '--port': PORT } });
  assert.equal(made.body.status, 'ready', JSON.stringify(made.body));
  const busy = ask(first, `/${made.body.id}/tools/call`, { tool: 'slow' }).catch(() => 'cut off');
  assert.match(commandLines(), new RegExp(PORT));
  first.child.kill('SIGKILL');
  assert.equal((await first.ended).signal, 'SIGKILL');
  assert.equal(await busy, 'cut off');
  await until('every process of its boxes has ended', () => !commandLines().includes(PORT));
  const second = serve();
  after(() => second.child.kill('SIGKILL'));
  const called = await ask(second, `/${made.body.id}/tools/call`, { tool: 'about' });
  assert.equal(called.status, 200, JSON.stringify(called.body));
  assert.match(commandLines(), new RegExp(PORT));
  second.child.kill('SIGTERM');
  const { code, stderr } = await second.ended;
  assert.equal(code, 0, stderr);
  assert.ok(!commandLines().includes(PORT));
});
