import { connect, type Socket } from 'node:net';
import { saveAll } from '../linking.ts';
import { listing } from '../listings.ts';
import { type Case, send, type Verdict } from './case.ts';
import { toolCall } from './cases.ts';
import { runCases } from './run-cases.ts';
import type { HeldService } from './service.ts';
import { pageCases } from './text-cases.ts';
import { filled, HOSTILE } from './texts.ts';

/** What once stopped the service, by name, and the floods that once filled its memory. */

const SKILL = '---\nname: held\ndescription: Does what it says. Use it where that is wanted.\n---\n\n';

/** `scale`: of the largest sizes. */
export async function namedCases(service: HeldService, scale = 1): Promise<Case[]> {
  const authorization = { authorization: `Bearer ${service.account.token}` };
  const most = (size: number): number => Math.floor(size * scale);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const validated = (tool: string, file: string, what: string): Case => ({
    name: `${tool}: ${what}`,
    most: most(950_000),
    request: (size) =>
      toolCall(tool, { files: [{ path: file, content: SKILL + filled(HOSTILE[what] as string, size) }] }),
  });
  return [
    {
      name: 'POST /oauth/token with many distinct fields',
      most: most(1_000_000),
      request: (size) => ({
        method: 'POST',
        target: '/oauth/token',
        headers: form,
        body: Array.from({ length: Math.ceil(size / 7) }, (_, at) => `${at.toString(36).padStart(4, '0')}=1`)
          .join('&')
          .slice(0, size),
      }),
    },
    ...['backticks', 'letters', 'curl'].flatMap((what) => [
      validated('skill_validate', 'SKILL.md', what),
      validated('harness_validate', 'HARNESS.md', what),
    ]),
    {
      name: 'a dry run of publishing such a file',
      most: most(950_000),
      request: (size) => ({
        method: 'POST',
        target: '/api/marketplace/listings',
        headers: { ...authorization, 'content-type': 'application/json' },
        body: JSON.stringify({
          name: 'held-publisher/held',
          version: '1.0.0',
          license: 'MIT',
          dry_run: true,
          files: [{ path: 'SKILL.md', content: SKILL + filled('`', size) }],
        }),
      }),
    },
    ...(await pageCases(service, authorization, ['images'], most(198_000))),
    ...(await runCases(service, scale)),
    {
      name: 'a tool call of an account with -eyJ',
      most: most(32_000),
      request: (size) =>
        toolCall('skill_validate', { files: [{ path: 'a.md', content: filled('-eyJ', size) }] }, authorization),
    },
    {
      name: '?a=1& many times',
      most: most(7_800),
      request: (size) => ({ method: 'GET', target: `/api/marketplace/registry?${filled('a=1&', size)}` }),
    },
  ];
}

/** Resident memory may be this often what it was before a flood. */
const MOST_GROWTH = 1.5;
/** Answers to others in the time that a flood is given. */
const TURNS = 100;

interface Flood {
  name: string;
  run(): Promise<void>;
}

/** Floods that once stayed in memory; each verdict's `rss_mb` is that of after it. */
export async function floodVerdicts(service: HeldService, scale = 1): Promise<Verdict[]> {
  await saveAll(
    service.world.database,
    Array.from({ length: Math.floor(3_000 * scale) }, (_, at) =>
      listing('docker', `held-${at}`, { description: filled(`about ${at} `, 2_000) }),
    ),
  );
  const floods: Flood[] = [
    { name: '3 connections with 1,000 pipelined requests each', run: () => pipelined(service, 3, 1_000 * scale) },
    { name: '200 readers of the export that read nothing', run: () => readNothing(service, 200 * scale) },
  ];
  // What is loaded and cached with the first of each is no growth.
  for (const target of ['/api/schema', '/api/marketplace/registry/export'])
    await send(service.url, { method: 'GET', target });
  const verdicts: Verdict[] = [];
  for (const { name, run } of floods) {
    const before = await service.rss();
    const held = await service.measure(run);
    await answersOf(service.url);
    const after = await service.rss();
    const peak = Math.max(held.rss_mb, after);
    const grown = peak / before;
    const fault = grown > MOST_GROWTH ? `memory grew from ${before.toFixed(0)} to ${peak.toFixed(0)} MB` : null;
    const status = await send(service.url, { method: 'GET', target: '/healthz' });
    verdicts.push({
      name,
      held: { ...held, rss_mb: peak },
      sizes: [],
      status,
      fault: status === 200 ? fault : 'no answer',
    });
  }
  return verdicts;
}

/** Waits as long as the service takes to answer others; a busy one takes longer. */
async function answersOf(url: string): Promise<void> {
  for (let turns = 0; turns < TURNS; turns++) await send(url, { method: 'GET', target: '/healthz' });
}

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;

function opened(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  return socket;
}

async function pipelined({ port, url }: HeldService, connections: number, requests: number): Promise<void> {
  const sockets = Array.from({ length: connections }, () => opened(port).pause());
  for (const socket of sockets) socket.write(request('/api/schema').repeat(requests));
  await answersOf(url);
  for (const socket of sockets) socket.destroy();
}

async function readNothing({ port, url }: HeldService, readers: number): Promise<void> {
  const sockets = Array.from({ length: Math.floor(readers) }, () => opened(port).pause());
  for (const socket of sockets) socket.write(request('/api/marketplace/registry/export'));
  await answersOf(url);
  for (const socket of sockets) socket.destroy();
}
