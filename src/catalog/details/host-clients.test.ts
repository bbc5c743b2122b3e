import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { createHostClients, MOST_OTHER_HOSTS } from './host-clients.ts';

const text = { accept: 'text/plain' };

/** Clients over hosts that answer at once, with time standing still. The host `hostile.example` answers 503. */
function clients(headers: Record<string, string> = {}) {
  const asked: string[] = [];
  const fetch: OutboundFetch = async (url) => {
    const { hostname, pathname } = new URL(url);
    asked.push(hostname);
    if (pathname === '/none') return new Response('', { status: 404 });
    return hostname === 'hostile.example' ? new Response('', { status: 503, headers }) : new Response('# Tides');
  };
  const clock = { ms: 0, now: () => clock.ms };
  const config = {
    version: '0.1.0',
    public_url: 'http://127.0.0.1:8080',
    details: { per_minute: 20, max_bytes: 1_000_000, github_raw_url: null, host_interval_ms: 0 },
  };
  const stop = new AbortController();
  const hosts = createHostClients({ fetch, clock, config });
  const get = hosts.get('other', stop.signal);
  const github = hosts.get('github', stop.signal);
  return { asked, stop, clock, github, get: (host: string) => get(`https://${host}/README.md`, text) };
}

test('a host that a record names is asked once, and its wait holds no other host', async () => {
  const { asked, stop, get } = clients({ 'retry-after': '60' });
  await assert.rejects(get('hostile.example'), /503/);
  assert.deepEqual(asked, ['hostile.example'], 'it is not retried at once');
  const both = Promise.allSettled([get('hostile.example'), get('tides.example')]);
  await new Promise(setImmediate);
  stop.abort();
  assert.deepEqual(asked, ['hostile.example', 'tides.example'], 'it keeps its own wait');
  const [held, free] = await both;
  assert.deepEqual([held.status, free.status], ['rejected', 'fulfilled']);
});

test('a host that a record names pauses only itself, and is remembered among a limited number', async () => {
  const { asked, get } = clients();
  for (let n = 0; n < 6; n++) await assert.rejects(get('hostile.example'), /503/);
  await assert.rejects(get('hostile.example'), /Requests are paused for 30 s/);
  assert.equal(asked.length, 6);
  assert.equal((await get('tides.example')).text, '# Tides');
  for (let n = 1; n < MOST_OTHER_HOSTS; n++) await get(`h${n}.example`);
  await assert.rejects(get('hostile.example'), /503/);
});

test('a file of a repository is requested once for all of its listings, for five minutes', async () => {
  const { asked, clock, github } = clients();
  const url = 'https://raw.example/ann/tides/HEAD/README.md';
  for (let n = 0; n < 3; n++) assert.equal((await github(url, text)).text, '# Tides');
  for (let n = 0; n < 3; n++) await assert.rejects(github('https://raw.example/none', text), /404/);
  assert.equal(asked.length, 2, 'a missing file is shared too');
  await github(url, { ...text, validators: { etag: '"a"' } });
  assert.equal(asked.length, 3, 'whether a stored text changed is asked in any case');
  clock.ms += 5 * 60_000;
  await github(url, text);
  assert.equal(asked.length, 4);
});
