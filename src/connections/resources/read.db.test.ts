import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listSpans } from '#core/traces/spans.ts';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake } from '#test/fakes/mcp-server.ts';

const resources = [
  { uri: 'x://meta', name: 'meta' },
  { uri: 'x://picture', name: 'picture', mimeType: 'image/png', blob: 'iVBORw0KGgo=' },
  { uri: 'x://secret', name: 'secret', text: 'the token is s3cret-value-of-this-user' },
  { uri: 'x://large', name: 'large', text: 'x'.repeat(5 * 1024 * 1024) },
];

eachDatabase('reading a resource', (open) => {
  for (const era of ['modern', 'sessions'] as const)
    test(`200: returns the content, and stores its trace (${era})`, async () => {
      const database = await open();
      await using stand = await connectionsStand(database);
      const fake = await startMcpFake([], { era, content: { resources } });
      const [as, other] = [await stand.newUser(), await stand.newUser()];
      const path = await stand.connect(as, fake.url);
      const read = (uri: string, who = as) => stand.ask(who, 'POST', `${path}/resources/read`, { uri });
      const { status, body } = await read('x://meta');
      assert.equal(status, 200);
      // The server receives the id of the span.
      assert.match(JSON.parse(body.contents[0].text).traceparent, new RegExp(`^00-${body.trace_id}-`));
      await stand.tracing.flush();
      const spans = await listSpans(database.db, body.trace_id);
      assert.deepEqual(
        spans.map(({ name }) => name),
        ['resources/read x://meta'],
      );
      assert.deepEqual((await read('x://picture')).body.contents, [
        { uri: 'x://picture', media_type: 'image/png', text: null, blob: 'iVBORw0KGgo=' },
      ]);
      const unknown = await read('x://nothing');
      assert.deepEqual(
        [unknown.status, unknown.body.code, unknown.body.reason],
        [502, 'connections.server_failed', 'server_refused'],
      );
      assert.match(unknown.body.trace_id, /^[0-9a-f]{32}$/);
      const strange = await read('x://meta', other);
      assert.deepEqual([strange.status, strange.body.reason], [404, 'connection']);
      const large = await read('x://large');
      assert.deepEqual([large.status, large.body.reason], [502, 'result_too_large']);
      await fake.close();
    });

  test('404: a server without resources; 429: the daily limit on calls', async () => {
    await using stand = await connectionsStand(await open(), { calls_per_day: 1 });
    const fake = await startMcpFake();
    const as = await stand.newUser();
    const path = await stand.connect(as, fake.url);
    const read = () => stand.ask(as, 'POST', `${path}/resources/read`, { uri: 'x://meta' });
    const first = await read();
    assert.deepEqual([first.status, first.body.code, first.body.reason], [404, 'connections.not_found', 'resource']);
    assert.equal((await read()).status, 429);
    await fake.close();
  });
});
