import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { defined } from '#core/defined.ts';
import { RIG_YAML_EXAMPLE } from '#runtime/rigs/examples.ts';
import { type Account, accountsOf } from './accounts.ts';
import { until } from './until.ts';
import { openWorld } from './world.ts';

/** A rig that one user publishes and another runs. */

const world = await openWorld({}, 'serve');
after(() => world.close());
const accounts = await accountsOf(world);

interface Body {
  [name: string]: string & Body;
}

async function ask(as: Account, method: string, path: string, body?: object): Promise<Body> {
  const headers = { authorization: `Bearer ${as.token}`, 'content-type': 'application/json' };
  const answer = await world.fetch(path, {
    method,
    headers,
    ...defined({ body: body ? JSON.stringify(body) : undefined }),
  });
  const said = (await answer.json()) as Body;
  assert.ok(answer.ok, `${method} ${path}: ${JSON.stringify(said)}`);
  return said;
}

test('a published rig with its lock runs for another user, and the receipt names its version', async () => {
  const [author, user] = [await accounts.signUp(), await accounts.signUp()];
  const { id } = await ask(author, 'POST', '/api/rigs', { yaml: RIG_YAML_EXAMPLE });
  const { content } = await ask(author, 'POST', `/api/rigs/${id}/resolve`, {});
  const files = [
    { path: 'rig.yaml', content: RIG_YAML_EXAMPLE },
    { path: 'rig.lock', content },
  ];
  const named = { name: 'ada-lang/compare-configs', version: '1.0.0', license: 'Apache-2.0' };
  const published = await ask(author, 'POST', '/api/marketplace/listings', { ...named, files });

  const capability = { kind: 'capability', ref: published.id };
  const input = { before: { port: 80 }, after: { port: 8080 } };
  const made = await ask(user, 'POST', '/api/agents/tasks', { title: 'Compare', capability, input });
  await ask(user, 'POST', `/api/agents/tasks/${made.id}/start`);
  const task = await until('an end of the task', async () => {
    const shown = await ask(user, 'GET', `/api/agents/tasks/${made.id}`);
    return shown.status !== 'working' && shown;
  });
  assert.equal(task.status, 'completed', JSON.stringify(task));
  assert.match(JSON.stringify(task.output), /8080/);

  const receipt = await ask(user, 'GET', `/api/receipts/${task.receipt_id}`);
  const statement = JSON.parse(Buffer.from(`${receipt.dsse?.payload}`, 'base64').toString());
  assert.equal(statement.subject[0].name, `capability/${published.id}@1.0.0`);
  assert.equal((await ask(user, 'POST', '/api/receipts/verify', receipt)).valid, true);
});

test('a rig can be published only with the lock of its stored version, not without or with a modified lock', async () => {
  const author = await accounts.signUp();
  const publish = async (files: { path: string; content: string }[], more: object = {}) => {
    const order = { name: 'bea-lang/compare-configs', version: '1.0.0', license: 'Apache-2.0', files, ...more };
    const headers = { authorization: `Bearer ${author.token}`, 'content-type': 'application/json' };
    const answer = await world.fetch('/api/marketplace/listings', {
      method: 'POST',
      headers,
      body: JSON.stringify(order),
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  };
  const yaml = { path: 'rig.yaml', content: RIG_YAML_EXAMPLE };
  const without = await publish([yaml], { dry_run: true });
  assert.deepEqual(
    [without.status, without.body.code, without.body.reason],
    [422, 'marketplace.files_invalid', 'format'],
  );
  assert.match(JSON.stringify(without.body.findings), /rig-lock-missing.*capstan rigs lock/);
  const { id } = await ask(author, 'POST', '/api/rigs', { yaml: RIG_YAML_EXAMPLE });
  assert.equal((await publish([yaml])).status, 422, 'stored and not locked');
  const lock = await ask(author, 'POST', `/api/rigs/${id}/resolve`, {});
  const forged = {
    path: 'rig.lock',
    content: `${lock.content}`.replace(/"digest": "sha256:[0-9a-f]{4}/, '"digest": "sha256:0000'),
  };
  const broken = await publish([yaml, forged]);
  assert.deepEqual([broken.status, broken.body.code, broken.body.reason], [409, 'rigs.conflict', 'lock_broken']);
  const published = await publish([yaml]);
  assert.equal(published.status, 201, JSON.stringify(published.body));
  assert.deepEqual(
    (published.body.files as unknown as { path: string }[]).map(({ path }) => path),
    ['rig.lock', 'rig.yaml'],
  );
  const at = `/api/marketplace/listings/${published.body.id}/versions/1.0.0/files/rig.lock`;
  assert.equal(await (await world.fetch(at)).text(), lock.content);
  const edited = { ...yaml, content: RIG_YAML_EXAMPLE.replace('Shows how', 'Tells how') };
  assert.equal((await publish([edited], { name: 'bea-lang/other' })).status, 422, 'not the text that was locked');
  // Deleting the rig leaves what was published of it.
  await ask(author, 'DELETE', `/api/rigs/${id}`);
  assert.equal((await world.fetch(at)).status, 200);
});
