import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake } from '#test/fakes/mcp-server.ts';

const resources = [
  { uri: 'tides://harbours', name: 'harbours', description: 'All harbours.', mimeType: 'application/json' },
  { uri: 'tides://harbours', name: 'the same again' },
];
const templates = [{ uriTemplate: 'tides://harbours/{name}', name: 'harbour' }];

eachDatabase('listing resources', (open) => {
  for (const era of ['modern', 'sessions'] as const)
    test(`200: lists resources and templates (${era})`, async () => {
      await using stand = await connectionsStand(await open());
      const fake = await startMcpFake([], { era, content: { resources, templates } });
      const as = await stand.newUser();
      const path = await stand.connect(as, fake.url);
      const { status, body } = await stand.ask(as, 'POST', `${path}/resources/list`);
      assert.deepEqual(
        [status, body.total_count, body.items[0].uri, body.items[0].media_type],
        [200, 1, 'tides://harbours', 'application/json'],
      );
      assert.deepEqual(body.templates, [
        { uri_template: 'tides://harbours/{name}', name: 'harbour', title: '', description: '', media_type: null },
      ]);
      await fake.close();
    });

  test('200: a server without templates, and one without resources', async () => {
    await using stand = await connectionsStand(await open());
    const [bare, none] = [await startMcpFake([], { content: { resources } }), await startMcpFake()];
    const as = await stand.newUser();
    const first = await stand.ask(as, 'POST', `${await stand.connect(as, bare.url)}/resources/list`);
    assert.deepEqual([first.body.total_count, first.body.templates], [1, []]);
    const path = await stand.connect(as, none.url, { name: 'none' });
    const before = none.methods.length;
    const second = await stand.ask(as, 'POST', `${path}/resources/list`);
    assert.deepEqual([second.status, second.body.items, second.body.templates], [200, [], []]);
    assert.ok(!none.methods.slice(before).includes('resources/list'));
    await Promise.all([bare.close(), none.close()]);
  });

  test('502: a server with more resources than can be shown', async () => {
    await using stand = await connectionsStand(await open());
    const many = Array.from({ length: 1_001 }, (_, at) => ({ uri: `x://${at}`, name: 'x' }));
    const fake = await startMcpFake([], { content: { resources: many } });
    const as = await stand.newUser();
    const answer = await stand.ask(as, 'POST', `${await stand.connect(as, fake.url)}/resources/list`);
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.reason],
      [502, 'connections.server_failed', 'content_unusable'],
    );
    await fake.close();
  });
});
