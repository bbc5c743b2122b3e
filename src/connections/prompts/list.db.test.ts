import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake } from '#test/fakes/mcp-server.ts';

const prompts = [
  { name: 'plan', description: 'Plans.', arguments: [{ name: 'harbour', required: true }], say: () => '' },
];

eachDatabase('listing prompts', (open) => {
  test('200: lists prompts with their arguments; none of a server without prompts', async () => {
    await using stand = await connectionsStand(await open());
    const [fake, none] = [await startMcpFake([], { content: { prompts } }), await startMcpFake()];
    const as = await stand.newUser();
    const { status, body } = await stand.ask(as, 'POST', `${await stand.connect(as, fake.url)}/prompts/list`);
    assert.equal(status, 200);
    assert.deepEqual(body.items, [
      {
        name: 'plan',
        title: '',
        description: 'Plans.',
        arguments: [{ name: 'harbour', description: '', required: true }],
      },
    ]);
    const path = await stand.connect(as, none.url, { name: 'none' });
    assert.deepEqual((await stand.ask(as, 'POST', `${path}/prompts/list`)).body.items, []);
    await Promise.all([fake.close(), none.close()]);
  });
});
