import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '../../../test/databases.ts';
import { tasksStand } from '../../../test/tasks-stand.ts';

eachDatabase('the trace of a task', (open) => {
  test('200: nothing before the first run, then its spans, below the caller’s own where one was given', async () => {
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
    assert.deepEqual(
      [shown.trace_id, task.trace_id],
      ['4bf92f3577b34da6a3ce929d0e0e4736', '4bf92f3577b34da6a3ce929d0e0e4736'],
    );
    const [span] = shown.spans as { name: string; parent_span_id: string; attributes: Record<string, unknown> }[];
    assert.deepEqual([span?.name, span?.parent_span_id], ['execute_tool echo', '00f067aa0ba902b7']);
    assert.equal(span?.attributes['gen_ai.tool.call.arguments'], '{"text":"hi"}');
  });

  test('200: a task that names another’s trace shows its own spans only, and its receipt counts no others', async () => {
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
});
