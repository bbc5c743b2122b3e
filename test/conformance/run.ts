import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAuthorizationSuite } from './authorization.ts';
import { openConformanceServer } from './open-server.ts';
import { REVISIONS, runSuite } from './suite.ts';

/**
 * `npm run conformance [-- client|server|authorization] [-- revision…]`: the conformance suite of MCP against our client,
 * our endpoint and our authorization server, for every revision we speak: what each requires, and what it runs beside
 * that without counting it. Ends with 0 where all that is required passes.
 */
const asked = process.argv.slice(2);
function chosen<T extends string>(all: readonly T[]): T[] {
  const named = all.filter((value) => asked.includes(value));
  return named.length === 0 ? [...all] : named;
}

const dir = await mkdtemp(join(tmpdir(), 'capstan-conformance-'));
const server = await openConformanceServer();
let passed = true;
for (const leg of chosen(['client', 'server', 'authorization'] as const)) {
  if (leg === 'authorization') {
    const run = await runAuthorizationSuite();
    process.stdout.write(`\n${leg}\n${run.summary}\n`);
    passed = run.passed && passed;
    continue;
  }
  for (const revision of chosen(REVISIONS)) {
    const run = await runSuite({ leg, revision, dir, url: server.url });
    process.stdout.write(`\n${leg} ${revision}\n${run.summary}\n`);
    passed = run.passed && passed;
  }
}
await server.close();
process.stdout.write(`${passed ? 'All that is required passes.' : 'Something required fails.'} Details: ${dir}\n`);
process.exitCode = passed ? 0 : 1;
