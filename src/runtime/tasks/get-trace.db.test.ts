import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TraceAnswer } from '#core/traces/trace-answer.ts';
import { eachDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';

eachDatabase('the trace of a task', (open) => {
  test('200: empty before the first run, then its spans with a link to the caller’s trace', async () => {
    await using stand = await tasksStand(await open());
    const as = await stand.newUser();
    const body = { capability: { kind: 'skill', ref: 'echo' }, input: { text: 'hi' } };
    const { id } = (await stand.ask(as, 'POST', '/api/agents/tasks', body)).body;
    const trace = () => stand.ask(as, 'GET', `/api/agents/tasks/${id}/trace`);
    assert.deepEqual((await trace()).body, { trace_id: null, spans: [] });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await stand.ask(as, 'POST', `/api/agents/tasks/${id}/start`, undefined, { traceparent });
    const task = await stand.until(as, id, ['completed']);
    const { body: shown } = await trace();
    assert.notEqual(shown.trace_id, '4bf92f3577b34da6a3ce929d0e0e4736');
    assert.equal(shown.trace_id, task.trace_id);
    const [span] = shown.spans as TraceAnswer['spans'];
    assert.deepEqual([span?.name, span?.parent_span_id], ['execute_tool echo', null]);
    assert.deepEqual(span?.links, [{ trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7' }]);
    assert.equal(span?.attributes['gen_ai.tool.call.arguments'], '{"text":"hi"}');
  });

  test('200: tasks with the same caller trace show only their own spans', async () => {
    await using stand = await tasksStand(await open());
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const traces: { spans: { attributes: Record<string, unknown> }[] }[] = [];
    for (const text of ['of one user', 'of another']) {
      const as = await stand.newUser();
      const body = { capability: { kind: 'skill', ref: 'echo' }, input: { text } };
      const { id } = (await stand.ask(as, 'POST', '/api/agents/tasks', body)).body;
      await stand.ask(as, 'POST', `/api/agents/tasks/${id}/start`, undefined, { traceparent });
      await stand.until(as, id, ['completed']);
      traces.push((await stand.ask(as, 'GET', `/api/agents/tasks/${id}/trace`)).body as never);
    }
    const [one, another] = traces;
    assert.match(JSON.stringify(one), /of one user/);
    assert.match(JSON.stringify(another), /of another/);
    assert.doesNotMatch(JSON.stringify(another), /of one user/);
    assert.equal(one?.spans.length, another?.spans.length);
  });

  test('200: a run linked to another user’s span adds nothing to that user’s trace', async () => {
    await using stand = await tasksStand(await open());
    const [victim, stranger] = [await stand.newUser(), await stand.newUser()];
    const trace = async (as: typeof victim, id: string) =>
      (await stand.ask(as, 'GET', `/api/agents/tasks/${id}/trace`)).body as unknown as TraceAnswer;
    const run = async (as: typeof victim, text: string, headers: Record<string, string> = {}) => {
      const body = { capability: { kind: 'skill', ref: 'echo' }, input: { text } };
      const { id } = (await stand.ask(as, 'POST', '/api/agents/tasks', body)).body;
      await stand.ask(as, 'POST', `/api/agents/tasks/${id}/start`, undefined, headers);
      return stand.until(as, id, ['completed']);
    };
    const task = await run(stranger, 'of the stranger');
    const before = await trace(stranger, task.id);
    const traceparent = `00-${before.trace_id}-${before.spans[0]?.span_id}-01`;
    await run(victim, 'private to the victim', { traceparent });
    const after = await trace(stranger, task.id);
    assert.doesNotMatch(JSON.stringify(after), /private to the victim/);
    assert.deepEqual(after, before);
  });

  test('200: spans stored without a user are shown only to the owner of the task', async () => {
    const database = await open();
    await using stand = await tasksStand(database);
    const [owner, stranger] = [await stand.newUser(), await stand.newUser()];
    const body = { capability: { kind: 'skill', ref: 'echo' }, input: { text: 'long ago' } };
    const { id } = (await stand.ask(owner, 'POST', '/api/agents/tasks', body)).body;
    await stand.ask(owner, 'POST', `/api/agents/tasks/${id}/start`);
    const { trace_id } = await stand.until(owner, id, ['completed']);
    const path = `/api/agents/tasks/${id}/trace`;
    const before = (await stand.ask(owner, 'GET', path)).body;
    await database.db.updateTable('spans').set({ user_id: null }).execute();
    const after = (await stand.ask(owner, 'GET', path)).body;
    assert.match(JSON.stringify(after), /long ago/);
    assert.deepEqual(after, before);
    assert.equal((await stand.ask(stranger, 'GET', path)).status, 404);
    const other = (await stand.ask(stranger, 'POST', '/api/agents/tasks', body)).body.id;
    const [root] = after.spans as TraceAnswer['spans'];
    const traceparent = `00-${trace_id}-${root?.span_id}-01`;
    await stand.ask(stranger, 'POST', `/api/agents/tasks/${other}/start`, undefined, { traceparent });
    await stand.until(stranger, other, ['completed']);
    const theirs = (await stand.ask(stranger, 'GET', `/api/agents/tasks/${other}/trace`)).body;
    assert.notEqual(theirs.trace_id, trace_id);
    assert.deepEqual((await stand.ask(owner, 'GET', path)).body, before);
  });
});
