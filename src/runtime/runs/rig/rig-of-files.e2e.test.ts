import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Account, accountsOf } from '#test/accounts.ts';
import { openWorld } from '#test/world.ts';

/** A rig that its author locked and published, run by another user. */

const world = await openWorld();
await world.catalog.ready;
const accounts = await accountsOf(world);
const [author, other] = [await accounts.signUp(), await accounts.signUp()];
after(() => world.close());

async function ask({ token }: Account, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await world.fetch(path, { method, headers, ...sent });
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
  return { status: answer.status, body: (await answer.json()) as any };
}

const YAML = JSON.stringify({
  apiVersion: 'registry/v1',
  kind: 'Rig',
  metadata: { name: 'diff', version: '1.0.0', description: 'Compares.' },
  spec: {
    skills: [{ ref: 'skill/json-diff', digest: '' }],
    parameters: { type: 'object', required: ['before', 'after'] },
    prompt: 'Compare.',
  },
});

test('a published rig runs with its published lock, and publishing an invalid lock fails', async () => {
  assert.equal((await ask(author, 'POST', '/api/rigs', { yaml: YAML })).status, 201);
  assert.equal((await ask(author, 'POST', '/api/rigs/diff/resolve', {})).status, 200);
  const lock: string = (await ask(author, 'GET', '/api/rigs/diff')).body.lock.content;
  const publish = (version: string, content: string) => {
    const files = [
      { path: 'rig.yaml', content: YAML },
      { path: 'rig.lock', content },
    ];
    return ask(author, 'POST', '/api/marketplace/listings', { name: 'ana-lang/diff', version, license: 'MIT', files });
  };
  const made = await publish('1.0.0', lock);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id, digest } = made.body;
  const input = { before: { port: 80 }, after: { port: 8080 } };
  const capability = { kind: 'capability', ref: id, version: '1.0.0' };
  const task = await ask(other, 'POST', '/api/agents/tasks', { capability, input });
  assert.deepEqual([task.status, task.body.capability.digest], [201, digest], JSON.stringify(task.body));
  assert.equal(
    (await ask(other, 'POST', '/api/agents/tasks', { capability, input: {} })).body.code,
    'runs.input_invalid',
  );
  for (const [version, content] of [
    ['1.0.1', lock.replace(/sha256:[0-9a-f]/, 'sha256:x')],
    ['1.0.2', lock.replace('"lock_version": 1', '"lock_version": 1, "more": true')],
    ['1.0.3', '{"model": {"id": []}, "skills": 7}'],
    ['1.0.4', 'null'],
  ] as const)
    assert.match((await publish(version, content)).body.code, /^(rigs\.conflict|marketplace\.files_invalid)$/, version);
});
