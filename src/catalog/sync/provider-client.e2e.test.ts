import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createOutbound } from '#core/outbound/outbound.ts';
import type { Problem } from '#core/problem/problem.ts';
import { type Fault, faultDoor, records, startFaultServer } from '#test/fakes/fault-server.ts';
import { until } from '#test/until.ts';
import type { Provider } from './provider.ts';
import { politeGet, userAgent } from './provider-client.ts';
import { retryAfter } from './retry.ts';

const outbound = createOutbound({ allow_loopback: true, user_agent: 'unused' });
const server = await startFaultServer(records(3));
after(async () => {
  await outbound.close();
  await server.close();
});
/** Number of received responses. */
let answered = 0;
/** Requests in flight, and their maximum. */
let [inFlight, most] = [0, 0];
const never = new AbortController().signal;

function clientOf(pace: Partial<Provider['pace']> = {}, signal = never) {
  const provider = faultDoor('glama');
  server.requests.length = 0;
  answered = 0;
  most = 0;
  return politeGet({
    fetch: async (address, init) => {
      most = Math.max(most, ++inFlight);
      const answer = await outbound.fetch(address, init).finally(() => inFlight--);
      answered++;
      return answer;
    },
    provider: { ...provider, pace: { ...provider.pace, ...pace } },
    user_agent: userAgent('0.1.0', 'https://capstan.example'),
    retry: { retries: 3, base_ms: 5, max_wait_ms: 1_500, random: () => 1 },
  })(signal);
}
function faults(...list: (Fault | undefined)[]) {
  server.fault = (_request, number) => list[number - 1];
}
const url = `${server.url}/listings`;

test('a request sends a User-Agent and asks for JSON', async () => {
  faults();
  const { status, text } = await clientOf()(url, { bearer: 'k' });
  assert.equal(status, 200);
  assert.equal(JSON.parse(text).items.length, 3);
  const [request] = server.requests;
  assert.equal(request?.headers['user-agent'], 'Capstan/0.1.0 (+https://capstan.example)');
  assert.equal(request?.headers.accept, 'application/json');
  assert.equal(request?.headers.authorization, 'Bearer k');
});

test('a request sends the validators, and a 304 keeps them', async () => {
  faults();
  server.conditional = true;
  const get = clientOf();
  const first = await get(url);
  assert.ok(first.validators.etag);
  const second = await get(url, { validators: first.validators });
  assert.deepEqual(second, { status: 304, text: '', media_type: '', validators: first.validators });
  server.conditional = false;
});

for (const [what, fault] of Object.entries<Fault>({
  '500': { status: 500 },
  '503': { status: 503 },
  'a cut connection': { cut: true },
})) {
  test(`${what} is retried`, async () => {
    faults(fault, fault);
    const { status } = await clientOf()(url);
    assert.equal(status, 200);
    assert.equal(server.requests.length, 3);
  });
}

for (const [what, fault] of Object.entries<Fault>({
  'a body that comes too slowly': { drip_ms: 200 },
  'a missing response': { hang: true },
})) {
  test(`${what} is retried after the timeout`, async () => {
    faults(fault);
    const { status } = await clientOf({ timeout_ms: 800 })(url);
    assert.equal(status, 200);
    // On a busy machine a good response may be late, too.
    assert.ok(server.requests.length >= 2);
  });
}

test('429 is retried after Retry-After, which delays all requests', async () => {
  // A shorter timer that starts earlier in this process also ends earlier, even on a busy machine.
  const nearly = Promise.withResolvers<AbortSignal>();
  const wasEarly: boolean[] = [];
  server.fault = (_request, number) => {
    if (number === 1) {
      nearly.resolve(AbortSignal.timeout(950));
      return { status: 429, headers: { 'retry-after': '1' } };
    }
    void nearly.promise.then(({ aborted }) => wasEarly.push(!aborted));
    return undefined;
  };
  const get = clientOf();
  const asked = get(url);
  await until('the 429', () => answered === 1);
  await Promise.all([asked, get(url)]);
  assert.deepEqual(wasEarly, [false, false]);
});

test('a Retry-After of an hour fails the sync without a retry', async () => {
  faults({ status: 429, headers: { 'retry-after': '3600' } });
  await assert.rejects(clientOf()(url), (error: Problem) => {
    assert.deepEqual([error.code, error.reason], ['registry.provider_failed', 'rate_limited']);
    assert.deepEqual(error.extensions, {
      reason: 'rate_limited',
      upstream_status: 429,
      retry_after_ms: 3_600_000,
    });
    return true;
  });
  assert.equal(server.requests.length, 1);
});

test('permanent failures are not retried', async () => {
  const cases: [Fault, string][] = [
    [{ status: 401 }, 'registry.provider_failed'],
    [{ status: 403 }, 'registry.provider_failed'],
    [{ status: 404 }, 'registry.provider_failed'],
    [{ body: '<!doctype html><p>Login', headers: { 'content-type': 'text/html' } }, 'registry.provider_failed'],
    [{ body: ' <html>' }, 'registry.provider_failed'],
    [{ padding: 50_000_000 }, 'outbound.failed'],
  ];
  for (const [fault, code] of cases) {
    faults(fault);
    await assert.rejects(clientOf()(url), { code });
    assert.equal(server.requests.length, 1);
  }
});

test('repeated failures open the circuit, and further requests are not sent', async () => {
  server.fault = () => ({ status: 500 });
  const get = clientOf();
  await assert.rejects(get(url), { code: 'registry.provider_failed', reason: 'unavailable' });
  await assert.rejects(get(url), { code: 'registry.provider_failed', reason: 'paused' });
  const asked = server.requests.length;
  await assert.rejects(get(url), { code: 'registry.provider_failed', reason: 'paused' });
  assert.equal(server.requests.length, asked);
});

test('requests respect the concurrency limit', async () => {
  const answering = Promise.withResolvers<void>();
  server.fault = () => ({ until: answering.promise });
  const get = clientOf({ concurrency: 2, interval_ms: 0 });
  const asked = Array.from({ length: 6 }, () => get(url));
  await until('the limit is reached', () => server.requests.length === 2);
  assert.equal(inFlight, 2);
  answering.resolve();
  await Promise.all(asked);
  assert.deepEqual([server.requests.length, most], [6, 2]);
});

test('an abort ends the wait for Retry-After at once', async () => {
  faults({ status: 429, headers: { 'retry-after': '1' } });
  const controller = new AbortController();
  const asked = clientOf({}, controller.signal)(url);
  const ended = assert.rejects(asked, { name: 'AbortError' });
  await until('the 429', () => answered === 1);
  controller.abort(new Error('shutting down'));
  await ended;
  assert.equal(server.requests.length, 1);
});

test('Retry-After is read as seconds or as a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  assert.equal(retryAfter('120', now), 120_000);
  assert.equal(retryAfter('Thu, 01 Jan 2026 00:00:30 GMT', now), 30_000);
  assert.equal(retryAfter('Wed, 31 Dec 2025 23:00:00 GMT', now), 0);
  for (const nonsense of [null, '', 'soon', '-5', '1.5', '99999999999']) assert.equal(retryAfter(nonsense, now), null);
});
