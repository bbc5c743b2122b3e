import { spawn } from 'node:child_process';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { EgressGate } from '#runtime/egress/egress.ts';
import { openNamespaces } from '#runtime/egress/namespaces.ts';
import { openEgressGate } from '#runtime/egress/open-gate.ts';
import { allow, noBoxes, startBox, toLoopback } from '#test/egress-fixture.ts';
import { TEST_AUTHORITY, TEST_CERTIFICATE, TEST_KEY } from '#test/fakes/test-authority.ts';

/**
 * What egress by name adds: to the start of a box (with a spare namespace and without one), and to a request over a new
 * TLS connection. `node bench/runtime/egress.ts [rounds]`. All ways are taken in turn, so that the ratios of one run can
 * be compared.
 */
const ROUNDS = Number(process.argv[2] ?? 20);
const GOAL_MS = 60;
const REQUESTS = 30;

if (noBoxes !== false) {
  console.log(`skipped: ${noBoxes}`);
  process.exit(0);
}

const times = new Map<string, number[]>();
const note = (name: string, value: number): void => void times.set(name, [...(times.get(name) ?? []), value]);
function at(name: string, share: number): number {
  const sorted = (times.get(name) ?? []).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

const options = { resolve: toLoopback, guard: { allow_loopback: true } };
const none = await openEgressGate({ mode: 'none', watch: false }, options);
const namespaces = openNamespaces({ spares: 1 });

async function timed(name: string, open: () => Promise<EgressGate>): Promise<void> {
  const began = performance.now();
  const gate = await open();
  const child = startBox(gate, ['/bin/true']);
  await new Promise((resolve) => child.once('close', resolve));
  note(name, performance.now() - began);
  await gate.close();
}

const granted = allow('api.example.test', 443);
// The first one makes the namespace that the next one finds ready.
await (await openEgressGate(granted, { ...options, namespaces })).close();
for (let round = 0; round < ROUNDS; round++) {
  await timed('own empty network', async () => none);
  // The spare of the round before is being made meanwhile; a busy service would wait for it as well.
  await namespaces.ready();
  await timed('egress, spare namespace', () => openEgressGate(granted, { ...options, namespaces }));
  await namespaces.ready();
  await timed('egress, new namespace', () => openEgressGate(granted, options));
}
await namespaces.close();

const server = createServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, (_request, response) => response.end('hello'));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;

/** Runs in the box and here: requests one after the other, each over a new connection. */
const CLIENT = `
  const { request } = require('node:https');
  const [, port, count, options] = process.argv;
  const get = () => new Promise((resolve, reject) => request(
    { host: 'api.example.test', port, agent: false, ...JSON.parse(options) },
    (response) => response.resume().on('end', resolve)).on('error', reject).end());
  (async () => {
    for (let i = 0; i < Number(count); i++) {
      const began = performance.now();
      await get();
      console.log(performance.now() - began);
    }
  })();`;

async function requests(name: string, child: ReturnType<typeof spawn>): Promise<void> {
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  await new Promise((resolve) => child.once('close', resolve));
  // The first one loads TLS.
  for (const line of text.trim().split('\n').slice(1)) note(name, Number(line));
}

const direct = JSON.stringify({ host: '127.0.0.1', servername: 'api.example.test', ca: TEST_AUTHORITY });
for (let round = 0; round < 3; round++) {
  const argv = ['--eval', CLIENT, '--', `${port}`, `${REQUESTS}`];
  await requests('request, direct', spawn(process.execPath, [...argv, direct]));
  const gate = await openEgressGate(allow('api.example.test', port), options);
  await requests('request, through the gate', startBox(gate, ['/node', ...argv, '{}']));
  await gate.close();
}
server.close();
server.closeAllConnections();

for (const name of times.keys())
  console.log(
    `${name.padEnd(28)} p50 ${at(name, 0.5).toFixed(1).padStart(7)} ms   p90 ${at(name, 0.9).toFixed(1).padStart(7)} ms`,
  );
const added = at('egress, spare namespace', 0.5) - at('own empty network', 0.5);
const addedCold = at('egress, new namespace', 0.5) - at('own empty network', 0.5);
const verdict = added <= GOAL_MS ? 'met' : 'missed';
console.log(
  `added to a start: ${added.toFixed(1)} ms with a spare namespace, ${addedCold.toFixed(1)} ms without; goal ${GOAL_MS} ms ${verdict}`,
);
const ratio = at('request, through the gate', 0.5) / at('request, direct', 0.5);
console.log(`a request over a new connection: ${ratio.toFixed(2)} times the direct one`);
if (verdict === 'missed') process.exitCode = 1;
