import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';

eachDatabase('creating a task', (open) => {
  test('201: pins the version and digest, and starts nothing', async () => {
    await using stand = await tasksStand(await open());
    const as = await stand.newUser();
    const body = { capability: { kind: 'skill', ref: 'echo' }, input: { text: 'hi' }, title: 'Say hi' };
    const made = await stand.ask(as, 'POST', '/api/agents/tasks', body);
    assert.equal(made.status, 201);
    assert.equal(made.headers.get('location'), `/api/agents/tasks/${made.body.id}`);
    const { id, created_at, capability, ...rest } = made.body;
    assert.ok(id && created_at);
    assert.deepEqual(capability, { kind: 'skill', ref: 'echo', version: '1.0.0', digest: `sha256:${'ab'.repeat(32)}` });
    assert.deepEqual(rest, {
      title: 'Say hi',
      execution_class: 'scripted',
      input: { text: 'hi' },
      status: 'submitted',
      status_reason: null,
      output: null,
      error: null,
      question: null,
      server_question: null,
      attempt: 0,
      trace_id: null,
      receipt_id: null,
      receipt_key: null,
      queued_at: null,
      started_at: null,
      finished_at: null,
      kept_until: null,
      stored_bytes: 15,
      input_files: [],
      output_files: [],
    });
  });

  test('404, 410, 422, 400: invalid capability, input or files; stores nothing', async () => {
    await using stand = await tasksStand(await open());
    const as = await stand.newUser();
    const refused = async (capability: object, input: unknown, more: object = {}) => {
      const answer = await stand.ask(as, 'POST', '/api/agents/tasks', { capability, input, ...more });
      return [answer.status, answer.body.code, (answer.body.errors as { pointer: string }[] | undefined)?.[0]?.pointer];
    };
    const echo = { kind: 'skill', ref: 'echo' };
    const file = (path: string, content_base64 = 'aGk=') => ({ input_files: [{ path, content_base64 }] });
    assert.deepEqual(await refused({ kind: 'skill', ref: 'none' }, {}), [404, 'runs.not_found', undefined]);
    assert.deepEqual(await refused({ ...echo, version: '0.9' }, {}), [410, 'runs.gone', undefined]);
    assert.deepEqual(await refused(echo, { text: 7 }), [422, 'runs.input_invalid', '/text']);
    assert.deepEqual(await refused({ kind: 'spell', ref: 'x' }, {}), [400, 'http.invalid', '/capability/kind']);
    assert.deepEqual(await refused(echo, { text: '\ud800' }), [422, 'runs.input_invalid', '/input']);
    for (const path of ['../x', '/x', 'a//b', '.env', 'a/../b', 'a\\b', 'input.json', 'a\0'])
      assert.deepEqual(
        await refused(echo, { text: '' }, file(path)),
        [422, 'runs.input_invalid', '/input_files/0/path'],
        path,
      );
    for (const bytes of ['aGk', 'a-k=', '!!!!', `${'A'.repeat(699_052)}`])
      assert.equal((await refused(echo, { text: '' }, file('x', bytes)))[1], 'runs.input_invalid');
    const { body } = await stand.ask(as, 'GET', '/api/agents/tasks');
    assert.equal(body.total_count, 0);
  });
});
