import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANONYMOUS_ID } from '#accounts/users/house-accounts.ts';
import { listIdentities } from '#accounts/users/identities.ts';
import { findListing } from '#catalog/items/find-listing.ts';
import { mcpCapability } from '#runtime/runs/mcp.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { textResult } from '#test/fakes/mcp-server.ts';
import { probesFixture, startProbed } from '#test/probes-fixture.ts';
import { storageOf } from '#test/storage.ts';
import { tasksStand } from '#test/tasks-stand.ts';
import { HOME, predicateOf, type TrialShown, trialOf } from '#test/trials.ts';

eachDatabase('a run without an account', (open) => {
  test('201: the result with a receipt that names no one; 429: the sixth of the day', async () => {
    const database = await open();
    await using stand = await tasksStand(database);
    const made = await stand.askFrom(HOME, 'POST', '/api/trials', trialOf('skill/echo'));
    assert.equal(made.status, 201);
    const { token, path, runs_left } = made.body;
    const shown = made.body.run as unknown as TrialShown;
    assert.deepEqual([path, runs_left, shown.status, shown.caller], [`/r/${token}`, 4, 'completed', 'anonymous']);
    assert.deepEqual(shown.output, { text: 'hi' });
    const { finished_at, kept_until } = shown as { finished_at?: string; kept_until?: string };
    assert.equal(Date.parse(kept_until ?? '') - Date.parse(finished_at ?? ''), 7 * 86_400_000);

    const { caller, status } = await predicateOf(stand, shown.receipt_id);
    assert.deepEqual([caller.kind, status], ['anonymous', 'completed']);
    const receipts = JSON.stringify(await database.db.selectFrom('receipts').selectAll().execute());
    const spans = JSON.stringify(await database.db.selectFrom('spans').selectAll().execute());
    const tasks = JSON.stringify(await database.db.selectFrom('tasks').selectAll().execute());
    for (const text of [receipts, made.text, spans, tasks])
      assert.ok(!text.includes(HOME) && !text.includes('203.0.113'), text.slice(0, 200));
    const noted = await database.db.selectFrom('audit_log').select(['action', 'actor', 'address', 'detail']).execute();
    const detail = JSON.stringify({ capability: 'skill/echo' });
    assert.deepEqual(noted, [{ action: 'trials.start', actor: 'nobody', address: '203.0.113.0/24', detail }]);
    const { wallets, email, google } = await listIdentities(database.db, ANONYMOUS_ID);
    assert.deepEqual([wallets, email ?? null, google ?? null], [[], null, null]);

    for (const left of [3, 2, 1, 0])
      assert.equal((await stand.askFrom(HOME, 'POST', '/api/trials', trialOf('echo'))).body.runs_left, left);
    const refused = await stand.askFrom(HOME, 'POST', '/api/trials', trialOf('echo'), {
      'x-forwarded-for': '198.51.100.1',
    });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.reason],
      [429, 'trials.limit_exceeded', 'address'],
    );
    assert.match(`${refused.body.detail}`, /sign in.*With an account, which is free, you can/);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await stand.askFrom('198.51.100.1', 'POST', '/api/trials', trialOf('echo'))).status, 201);
  });

  test('403, 404, 422: what needs an account, an unknown name, a wrong or large input; none is counted', async () => {
    const database = await open();
    await using stand = await tasksStand(database);
    const refused = async (body: object) => {
      const { status, body: problem } = await stand.askFrom(HOME, 'POST', '/api/trials', body);
      return [status, problem.code, problem.reason];
    };
    const needs = (reason: string) => [403, 'trials.account_required', reason];
    assert.deepEqual(await refused(trialOf('model')), needs('capability'));
    const id = '019a8c1e-7f00-7000-8000-3b1f6f4f9a11';
    for (const ref of [id, `${id}/tool`, 'ada/notes'])
      assert.deepEqual(await refused(trialOf(ref)), needs('capability'));
    assert.deepEqual(await refused(trialOf('nothing')), [404, 'runs.not_found', undefined]);
    assert.deepEqual(await refused(trialOf('smithery/none')), [404, 'registry.not_found', undefined]);
    assert.deepEqual(await refused(trialOf('/')), [422, 'runs.reference_invalid', 'reference_malformed']);
    assert.deepEqual(await refused(trialOf('echo', { text: 7 })), [422, 'runs.input_invalid', 'input_unfit']);
    for (const length of [33_000, 900_000])
      assert.deepEqual(await refused(trialOf('echo', { text: 'x'.repeat(length) })), [
        422,
        'runs.input_invalid',
        'input',
      ]);
    for (const more of [{ input_files: [] }, { environment: {} }, { install: true }])
      assert.equal((await refused({ ...trialOf('echo'), ...more }))[0], 400);
    assert.deepEqual(await database.db.selectFrom('trial_days').selectAll().execute(), []);

    await using off = await tasksStand(database, { trials: { per_address: 0, per_day: 500 }, idle: true });
    const { status, body } = await off.askFrom(HOME, 'POST', '/api/trials', trialOf('echo'));
    assert.deepEqual([status, body.code, body.reason], [...needs('disabled')]);
  });

  test('429: no room in the queue or the storage; a task and a link of an account do not change', async () => {
    const database = await open();
    await using full = await tasksStand(database, { storage: storageOf(100), idle: true });
    const { body } = await full.askFrom(HOME, 'POST', '/api/trials', trialOf('echo', { text: 'x'.repeat(200) }));
    assert.deepEqual([body.code, body.reason], ['trials.limit_exceeded', 'storage']);

    await using stand = await tasksStand(await open(), { trials: { per_address: 100, per_day: 1_000 }, idle: true });
    const all = await Promise.all(
      Array.from({ length: 60 }, () => stand.askFrom(HOME, 'POST', '/api/trials', { ...trialOf('slow'), wait_ms: 0 })),
    );
    assert.deepEqual(
      [201, 429].map((status) => all.filter((answer) => answer.status === status).length),
      [50, 10],
    );
    assert.ok(all.every((answer) => answer.status === 201 || answer.body.reason === 'queue'));
    const as = await stand.newUser();
    assert.equal((await stand.ask(as, 'GET', '/api/agents/tasks')).body.total_count, 0);
  });
});

const tool = (name: string, readOnlyHint?: boolean) => ({
  name,
  inputSchema: { type: 'object' as const, properties: { place: { type: 'string' } }, required: ['place'] },
  annotations: readOnlyHint === undefined ? {} : { readOnlyHint },
  call: () => textResult(`${name} was called`),
});

/** A listed server that was probed. */
async function probedStand(database: TestDatabase) {
  const fixture = await probesFixture(database);
  const server = await startProbed([tool('forecast', true), tool('warn'), tool('erase', false)]);
  await fixture.list({ 'a/weather': server.url });
  await fixture.work();
  const stand = await tasksStand(database, {
    listings: async ({ ref }, _caller, given = {}) => {
      const found = await findListing(database.db, 'smithery', 'a/weather', fixture.clock.now());
      assert.equal(found.kind, 'listing');
      const place = { kind: 'listing', ref, name: 'weather', version: '1' } as const;
      const target = { url: server.url, transport: 'streamable-http', headers: {} } as const;
      const made = await mcpCapability(fixture.outbound, place, target, given);
      if ('reason' in made) throw new Error(made.detail);
      return made;
    },
  });
  const calls = () => server.fake.methods.filter((method) => method === 'tools/call').length;
  const close = async () => {
    await stand.close();
    await server.close();
    await fixture.outbound.close();
  };
  return { stand, server, fixture, calls, [Symbol.asyncDispose]: close };
}

eachDatabase('a tool of a listed server without an account', (open) => {
  test('runs if it is read-only, as it was probed; everything else is refused before a request to the server', async () => {
    const database = await open();
    await using probed = await probedStand(database);
    const { stand, server, calls } = probed;
    const call = (name: string, args: object = { place: 'Oslo' }) =>
      stand.askFrom(HOME, 'POST', '/api/trials', trialOf('smithery/a/weather', { tool: name, arguments: args }));
    const good = await call('forecast');
    assert.deepEqual(
      [good.status, (good.body.run as unknown as TrialShown).output, calls()],
      [201, 'forecast was called', 1],
    );

    const before = server.requests.length;
    for (const [name, args, code] of [
      ['warn', undefined, 'not_read_only'],
      ['erase', undefined, 'not_read_only'],
      ['none', undefined, 'input_unfit'],
      ['forecast', {}, 'input_unfit'],
      ['forecast', { place: 7 }, 'input_unfit'],
    ] as const)
      assert.equal((await call(name, args)).body.reason, code);
    assert.equal(server.requests.length, before, 'nothing was sent');

    // The server changes its tools after the probe: also the others, and only a hint.
    server.fake.tools[2] = tool('erase', true);
    const changed = await call('forecast');
    assert.deepEqual([changed.status, changed.body.reason], [403, 'tools_changed']);
    assert.equal((await call('erase')).body.reason, 'not_read_only');
    assert.equal(calls(), 1);
    const { body } = await stand.askFrom(HOME, 'GET', '/api/trials');
    assert.equal(body.runs_left, 3, 'requests to the server count');

    const set = (columns: object) => database.db.updateTable('probe_targets').set(columns).execute();
    await set({ tool_findings: JSON.stringify([{ severity: 'grave' }]) });
    assert.equal((await call('forecast')).body.reason, 'flagged');
    await set({ reason: 'auth_needed', tool_findings: null });
    assert.equal((await call('forecast')).body.reason, 'credentials');
    await set({ reason: 'unreachable' });
    assert.equal((await call('forecast')).body.reason, 'not_probed');
  });
});
