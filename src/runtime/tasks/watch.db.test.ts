import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';

const eventsIn = (text: string) =>
  [...text.matchAll(/id: (\d+)\nevent: (\w+)\ndata: (.*)\n\n/g)].map(([, id, type, data]) => {
    const { at, ...rest } = JSON.parse(data as string) as Record<string, unknown>;
    assert.ok(at);
    return { id: Number(id), type, ...rest };
  });

eachDatabase('watching a task', (open) => {
  test('200: streams all events until the end, or those after Last-Event-ID', async () => {
    await using stand = await tasksStand(await open());
    const as = await stand.newUser();
    const id = await stand.start(as, 'echo', { text: 'hi' });
    const watch = (headers = {}) => stand.ask(as, 'GET', `/api/agents/tasks/${id}/events`, undefined, headers);
    // Compression would hold events back until there are enough of them.
    const answer = await watch({ 'accept-encoding': 'gzip' });
    assert.equal(answer.headers.get('content-type'), 'text/event-stream');
    assert.equal(answer.headers.get('content-encoding'), null);
    const events = eventsIn(answer.text);
    assert.deepEqual(events, [
      { id: 1, type: 'status', status: 'working', status_reason: 'queued', attempt: 0 },
      { id: 2, type: 'status', status: 'working', status_reason: 'running', attempt: 1 },
      { id: 3, type: 'output', stream: 'stdout', text: '{"text":"hi"}' },
      { id: 4, type: 'status', status: 'completed', status_reason: null, attempt: 1 },
    ]);
    assert.deepEqual(eventsIn((await watch({ 'last-event-id': '2' })).text), events.slice(2));
    assert.deepEqual(eventsIn((await watch({ 'last-event-id': '9' })).text), []);
    for (const odd of ['x', '-1', '1e3'])
      assert.equal((await watch({ 'last-event-id': odd })).body.code, 'http.invalid');
  });

  test('the stream ends when the service stops, with a retry time for the client', async () => {
    await using stand = await tasksStand(await open());
    const as = await stand.newUser();
    const id = await stand.start(as, 'slow');
    const headers = { authorization: `Bearer ${as.id}` };
    const watching = await fetch(`${await stand.listen()}/api/agents/tasks/${id}/events`, { headers });
    assert.equal(watching.status, 200);
    const said = watching.text();
    await stand.close();
    assert.match(await said, /^retry: 1000\n\n/);
  });
});
