import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RIG_YAML_EXAMPLE } from '../src/features/rigs/examples.ts';
import { type Account, accountsOf } from './accounts.ts';
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
  const answer = await world.fetch(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const said = (await answer.json()) as Body;
  assert.ok(answer.ok, `${method} ${path}: ${JSON.stringify(said)}`);
  return said;
}

test('a published rig with its lock runs for somebody else, and the receipt names its version', async () => {
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
  let task = await ask(user, 'POST', `/api/agents/tasks/${made.id}/start`);
  for (; task.status === 'working'; await sleep(20)) task = await ask(user, 'GET', `/api/agents/tasks/${made.id}`);
  assert.equal(task.status, 'completed', JSON.stringify(task));
  assert.match(JSON.stringify(task.output), /8080/);

  const receipt = await ask(user, 'GET', `/api/receipts/${task.receipt_id}`);
  const statement = JSON.parse(Buffer.from(`${receipt.dsse?.payload}`, 'base64').toString());
  assert.equal(statement.subject[0].name, `capability/${published.id}@1.0.0`);
  assert.equal((await ask(user, 'POST', '/api/receipts/verify', receipt)).valid, true);
});
