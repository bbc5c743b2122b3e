import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { findConnection } from '#connections/connections/connections.ts';
import { connectionsStand } from '#test/connections-stand.ts';
import { oneDatabase } from '#test/databases.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import { LONGEST_WAIT_MS } from './in-time.ts';
import { offeredTools } from './offered-tools.ts';

oneDatabase('tools of an endpoint', (open) => {
  test('a slow server and a broken one do not hold up the others, and are named', async (t) => {
    await using stand = await connectionsStand(await open());
    const fake = await startMcpFake([{ name: 'a', call: () => textResult('') }]);
    const { id: user_id } = await stand.newUser();
    const as = { id: user_id } as Parameters<typeof stand.connect>[0];
    const choices = [];
    for (const prefix of ['broken', 'fine', 'slow']) {
      const path = await stand.connect(as, fake.url, { name: prefix });
      choices.push({ connection_id: path.split('/').at(-1) as string, prefix, tools: null, ask_except: null });
    }
    const { deps } = stand.connections;
    const [broken, , slow] = choices as [(typeof choices)[number], unknown, (typeof choices)[number]];
    const list = await deps.tool_lists.read(
      (await findConnection(deps.db, { user_id, id: slow.connection_id })) as never,
      false,
    );
    let asked = 0;
    const tool_lists: typeof deps.tool_lists = {
      ...deps.tool_lists,
      stored: async ({ id }) => (id === broken.connection_id ? null : list),
      read: (connection, refresh) => {
        asked++;
        if (connection.id === slow.connection_id) return new Promise(() => {});
        return connection.id === broken.connection_id
          ? Promise.reject(new Error('bug'))
          : deps.tool_lists.read(connection, refresh);
      },
    };
    const endpoint = { id: 'e', user_id, name: 'e', hint: '', created_at: '', expires_at: null, last_used_at: null };
    await assert.rejects(offeredTools({ ...deps, tool_lists }, { ...endpoint, choices: [broken] }), { message: 'bug' });
    await fake.close();
    deps.upstreams.forget(broken.connection_id);
    let settled = 0;
    const down: typeof tool_lists = {
      ...tool_lists,
      read: (connection) =>
        connection.id === slow.connection_id
          ? tool_lists.read(connection, false)
          : deps.tool_lists.read(connection, connection.id === broken.connection_id).finally(() => {
              settled++;
            }),
    };
    t.mock.timers.enable({ apis: ['setTimeout'] });
    asked = 0;
    const offered = offeredTools({ ...deps, tool_lists: down }, { ...endpoint, choices });
    while (asked < 1 || settled < 2) await setImmediate();
    await setImmediate();
    let isDone = false;
    void offered.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      t.mock.timers.tick(LONGEST_WAIT_MS);
      await setImmediate();
    }
    t.mock.timers.reset();
    const { tools, unavailable } = await offered;
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['fine__a', 'slow__a'],
    );
    const said = Object.fromEntries(unavailable.map(({ connection, ...more }) => [connection, more]));
    assert.deepEqual([said.slow?.code, said.slow?.is_stored], ['connections.timeout', true]);
    assert.equal(said.broken?.is_stored, false);
    assert.equal(said.fine, undefined);
  });

  test('tools of several accounts at one server name the account, and others do not', async () => {
    await using stand = await connectionsStand(await open());
    const [shared, single] = [await startMcpFake([{ name: 'a', call: () => textResult('') }]), await startMcpFake()];
    single.tools.push({ name: 'b', call: () => textResult('') });
    const as = await stand.newUser();
    const made: string[] = [];
    for (const [url, name] of [
      [shared.url, 'Work'],
      [shared.url, 'Home'],
      [single.url, 'Other'],
    ] as const)
      made.push((await stand.connect(as, url, { name })).split('/').at(-1) as string);
    const choices = made.map((connection_id, at) => ({
      connection_id,
      prefix: `p${at}`,
      tools: null,
      ask_except: null,
    }));
    const { deps } = stand.connections;
    const endpoint = { id: 'e', name: 'e', hint: '', created_at: '', expires_at: null, last_used_at: null };
    const { tools } = await offeredTools(deps, { ...endpoint, user_id: as.id, choices });
    assert.deepEqual(
      tools.map(({ name, account }) => [name, account]),
      [
        ['p0__a', 'Work'],
        ['p1__a', 'Home'],
        ['p2__b', null],
      ],
    );
    await Promise.all([shared.close(), single.close()]);
  });
});
