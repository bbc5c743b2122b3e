import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { isProblem, type Problem } from '#core/problem/problem.ts';
import { eachDatabase } from '#test/databases.ts';
import { textResult } from '#test/fakes/mcp-server.ts';
import { listing } from '#test/listings.ts';
import { probesFixture, startProbed } from '#test/probes-fixture.ts';
import { until } from '#test/until.ts';
import { probeItem } from './probe.ts';
import type { Runnable } from './runnable.ts';

const TOOL = { name: 'forecast', call: () => textResult('x') };
const MINUTE_MS = 60_000;

type Fixture = Awaited<ReturnType<typeof probesFixture>>;

function askingAt(fixture: Fixture) {
  const handler = probeItem({ ...fixture, runnable: fixture.readRunnable });
  return async (id: string): Promise<Runnable> => {
    const body = { provider: 'smithery', id };
    // The client has gone: others read the result, too.
    const reply = await handler({ body, signal: AbortSignal.abort() } as never);
    return JSON.parse(reply.body as string).runnable;
  };
}

eachDatabase('POST /api/marketplace/registry/probe', (open) => {
  test('200: why the server can or cannot be called, now and for all readers; 429 for ten minutes', async (t) => {
    const fixture = await probesFixture(await open());
    t.after(() => fixture.outbound.close());
    const server = await startProbed([TOOL]);
    t.after(server.close);
    await fixture.list({ 'a/weather': server.url });
    const ask = askingAt(fixture);
    const both = await Promise.allSettled([ask('a/weather'), ask('a/weather')]);
    const [first] = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    assert.deepEqual([first?.reason, first?.tool_count, first?.checked_at], ['ok', 1, '2026-03-01T00:00:00.000Z']);
    const [second] = both.flatMap((each) => (each.status === 'rejected' ? [each.reason as Problem] : []));
    assert.ok(isProblem(second, 'http.limit_exceeded', 'rate'), 'two at once ask once');
    assert.equal(server.fake.methods.filter((method) => method === 'tools/list').length, 1);
    assert.deepEqual(
      (await fixture.read('a/weather')).tools?.map(({ name }) => name),
      ['forecast'],
    );

    fixture.clock.ms += 4 * MINUTE_MS;
    await assert.rejects(ask('a/weather'), (error: Problem) => {
      assert.equal(
        error.message,
        'The server was asked at 2026-03-01T00:00:00.000Z. Ask again after 2026-03-01T00:10:00.000Z.',
      );
      return isProblem(error, 'http.limit_exceeded', 'rate') && error.headers['retry-after'] === '360';
    });

    server.answer = (_, response) => response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    for (let times = 0; times < 4; times++) {
      fixture.clock.ms += 11 * MINUTE_MS;
      assert.equal((await ask('a/weather')).reason, 'auth_needed');
    }
    const target = await fixture.db.selectFrom('probe_targets').select('due_at').executeTakeFirstOrThrow();
    assert.equal(Date.parse(target.due_at) - fixture.clock.ms, 24 * 60 * MINUTE_MS, 'the daily probe is not postponed');

    const held: ServerResponse[] = [];
    server.answer = (_, response) => void held.push(response);
    const ids = Array.from({ length: 9 }, (_, at) => `b/${at}`);
    await fixture.list(Object.fromEntries(ids.map((id) => [id, `${server.url}?of=${id}`])));
    const [late = '', ...others] = ids;
    const asked = others.map(ask);
    await until('eight probes', async () => held.length === 8);
    await assert.rejects(ask(late), (error) => isProblem(error, 'http.unavailable', 'responses'));
    server.answer = (_, response) => response.writeHead(401).end();
    for (const response of held) response.writeHead(401).end();
    await Promise.all(asked);
    assert.equal((await ask(late)).reason, 'auth_needed');
  });

  test('429: until the time that the host asked for; then its daily probe waits, too', async (t) => {
    const fixture = await probesFixture(await open());
    t.after(() => fixture.outbound.close());
    const server = await startProbed([TOOL]);
    t.after(server.close);
    server.answer = (_, response) => response.writeHead(429, { 'retry-after': `${3 * 86_400}` }).end();
    await fixture.list({ 'a/weather': server.url });
    const ask = askingAt(fixture);
    const { reason, detail } = await ask('a/weather');
    assert.deepEqual([reason, detail], ['unreachable', 'The server asked to be probed later.']);
    const before = server.requests.length;
    fixture.pass(1.5);
    await assert.rejects(ask('a/weather'), /asked not to be probed before 2026-03-04T00:00:00.000Z/);
    await fixture.work();
    assert.equal(server.requests.length, before);
  });

  test('409: names why the server cannot be asked; 404: unknown id', async (t) => {
    const fixture = await probesFixture(await open(), { skip: ['127.0.0.2'] });
    t.after(() => fixture.outbound.close());
    await fixture.list({ 'a/skipped': 'http://127.0.0.2:9/mcp' });
    await fixture.change([listing('smithery', 'a/skill', { listing_type: 'skill', execution_class: 'prompt' })]);
    const ask = askingAt(fixture);
    await assert.rejects(ask('a/skipped'), (error) => isProblem(error, 'registry.probe_unavailable', 'excluded'));
    await assert.rejects(ask('a/skill'), (error) => isProblem(error, 'registry.probe_unavailable', 'no_server'));
    await assert.rejects(ask('a/none'), (error) => isProblem(error, 'registry.not_found'));
    const off = await probesFixture(await open(), { probe: 'off' });
    t.after(() => off.outbound.close());
    await off.change([listing('smithery', 'a/skill')]);
    await assert.rejects(askingAt(off)('a/skill'), (error) => isProblem(error, 'registry.probe_unavailable', 'off'));
  });
});
