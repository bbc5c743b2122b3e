import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { freePort } from '#test/free-port.ts';
import { openWorld } from '#test/world.ts';

test('200: metric labels are operations and status classes, never text from a request', async () => {
  await using world = await openWorld();
  const series = async () =>
    (await (await world.fetch('/metrics')).text()).split('\n').filter((line) => /^\w/.test(line));
  await world.fetch('/healthz');
  await world.fetch('/api/skills/nothing-of-the-kind');
  await world.fetch('/nobody');
  await world.catalog.ready;
  await series();
  const before = await series();
  for (let at = 0; at < 40; at++) {
    await world.fetch(`/made/up/${at}?by=a%22stranger`, { method: at % 2 === 0 ? 'GET' : 'POST' });
    await world.fetch(`/api/skills/stranger-${at}`, { headers: { 'user-agent': `stranger ${at}` } });
    await world.fetch('/healthz', { headers: { host: `stranger-${at}.example` } });
  }
  const after = await series();
  const names = (lines: string[]) =>
    lines.map((line) => line.replace(/ \S+$/, '')).filter((text) => !/^capstan_nodejs/.test(text));
  assert.deepEqual(names(after), names(before), 'no series more');
  assert.doesNotMatch(after.join('\n'), /stranger/);
  assert.ok(after.includes('capstan_http_requests_total{operation="core.health.getLiveness",status="2xx"} 41'));
  assert.ok(after.includes('capstan_http_requests_total{operation="runtime.skills.get",status="4xx"} 41'));
  assert.ok(after.includes('capstan_http_problems_total{code="http.not_found"} 41'));
});

test('403: without a configured token, for remote clients, proxies and web pages', async () => {
  await using world = await openWorld();
  const ask = async (init: { headers?: Record<string, string>; address?: string }) =>
    (await world.fetch('/metrics', init)).status;
  assert.equal(await ask({ headers: { host: '127.0.0.1:8080' } }), 200);
  assert.equal(await ask({ address: '::1', headers: { host: '[::1]:8080' } }), 200);
  assert.equal(await ask({ address: '192.0.2.7' }), 403);
  for (const headers of [
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { origin: 'http://127.0.0.1:3000' },
    { host: 'rebound.example' },
  ] as Record<string, string>[])
    assert.equal(await ask({ headers }), 403, JSON.stringify(headers));
});

test('200 with the configured token from any address; 401 with another or none', async () => {
  await using world = await openWorld({ CAPSTAN_METRICS_TOKEN: 'the-scraper' });
  const ask = (authorization: string) => world.fetch('/metrics', { address: '192.0.2.7', headers: { authorization } });
  assert.equal((await ask('Bearer the-scraper')).status, 200);
  for (const wrong of ['', 'Bearer the-scrape', 'the-scraper', 'Basic the-scraper']) {
    const answer = await ask(wrong);
    assert.deepEqual([answer.status, answer.headers.get('www-authenticate')], [401, 'Bearer realm="metrics"'], wrong);
  }
  assert.equal((await world.fetch('/metrics')).status, 401);
});

test('CAPSTAN_METRICS_PORT serves only health and metrics', async () => {
  await using world = await openWorld({ CAPSTAN_METRICS_PORT: `${await freePort()}` }, 'work');
  const watched = await world.listenForWatchers();
  const ask = async (path: string) => (await fetch(`${watched?.url}${path}`)).status;
  await world.catalog.ready;
  const { checks } = (await (await fetch(`${watched?.url}/readyz`)).json()) as { checks: { name: string }[] };
  const names = checks.map(({ name }) => name);
  assert.deepEqual(names, ['database', 'catalog'], 'a process that only works needs no index of the search');
  assert.deepEqual(
    await Promise.all(['/healthz', '/readyz', '/metrics', '/', '/api/skills'].map(ask)),
    [200, 200, 200, 404, 404],
  );
});

test('docs/guides/metrics.md lists exactly the exported metrics', async () => {
  await using world = await openWorld();
  // The identity code and its metrics are loaded with its first request.
  await world.fetch('/.well-known/jwks.json');
  const text = await (await world.fetch('/metrics')).text();
  const shown = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  const own = shown.filter((value) => !/^capstan_(?:nodejs|process)_/.test(value)).sort();
  const guide = await readFile(new URL('../../../docs/guides/metrics.md', import.meta.url), 'utf8');
  const told = [...guide.matchAll(/^\| `(capstan_\w+)` \| (\w+) \|/gm)].map(([, name, type]) => `${name} ${type}`);
  assert.deepEqual(told.sort(), own);
});
