import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLAN_JOB } from '#catalog/probes/plan.ts';
import { systemClock } from '#core/clock/clock.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { type FakeTool, type McpFake, startMcpFake } from './fakes/mcp-server.ts';
import { freePort } from './free-port.ts';
import { PROVIDER_IDS, startProviders } from './one-way-providers.ts';
import { dataFile } from './test-data.ts';
import { until } from './until.ts';
import { openWorld, type World } from './world.ts';

/**
 * A service whose catalog was filled by a sync from all eight providers on loopback, with servers of two listings behind it: one
 * that answers anyone, and one that needs a key. With CAPSTAN_TEST_DATA, they are among the records of the real registry.
 */
export interface OneWayStand extends AsyncDisposable {
  world: World;
  url: string;
  open: McpFake;
  keyed: McpFake;
}

export const OPEN_SERVER = 'io.example/harbour-tides';
export const KEYED_SERVER = 'io.example/harbour-berths';
export const API_KEY = 'berth-key-of-the-test';

const tool = (name: string, argument: string, text: string): FakeTool => ({
  name,
  description: text,
  annotations: { readOnlyHint: true },
  inputSchema: {
    type: 'object',
    properties: { [argument]: { type: 'string', description: 'Name of the harbour.' } },
    required: [argument],
  },
  call: (args) => ({ content: [{ type: 'text', text: `${text} ${args[argument]}` }] }),
});

const danger: FakeTool = {
  name: 'close_harbour',
  annotations: { destructiveHint: true },
  call: () => ({ content: [{ type: 'text', text: 'closed' }] }),
};

/** With `probes`, servers are probed, and so no record names a server elsewhere. */
export async function openOneWayStand({ probes }: { probes: boolean }): Promise<OneWayStand> {
  const open = await startMcpFake([danger, tool('tide_at', 'harbour', 'High water at noon in')]);
  const keyed = await startMcpFake([tool('free_berths', 'harbour', 'Three free berths in')]);
  keyed.fault = (request, response) =>
    request.headers['x-api-key'] === API_KEY ? false : Boolean(response.writeHead(401).end());
  // Probes visit a host once a day: each server has its own.
  const elsewhere = keyed.url.replace('127.0.0.1', 'localhost');
  const records = [
    record(OPEN_SERVER, 'Tide times of harbours', { type: 'streamable-http', url: open.url }),
    record(KEYED_SERVER, 'Free berths of harbours', {
      type: 'streamable-http',
      url: elsewhere,
      headers: [{ name: 'X-Api-Key', description: 'Key of the harbour office', isRequired: true, isSecret: true }],
    }),
  ];
  const providers = await startProviders(probes ? records : [...records, ...realRecords()]);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const world = await openWorld(
    {
      PORT: `${port}`,
      PUBLIC_URL: url,
      ...providers.settings,
      // Repositories of listings are elsewhere.
      CAPSTAN_DETAILS_PER_MINUTE: '0',
      CAPSTAN_PROBE: probes ? 'on' : 'off',
    },
    'serve',
  );
  await world.listen();
  await until('both servers in the marketplace', async () => {
    const answer = await world.fetch('/api/marketplace/search', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'harbour' }),
    });
    return (((await answer.json()) as { total_count?: number }).total_count ?? 0) >= 2;
  });
  for (const provider of PROVIDER_IDS)
    await until(`a listing of ${provider}`, async () => {
      const path = `/api/marketplace/listings?provider=${provider}&limit=1`;
      return (await world.get<{ total_count: number }>(path)).total_count > 0;
    });
  if (probes) {
    // Otherwise the next plan is due in a minute.
    await jobTable(world.database, systemClock).put({ kind: PLAN_JOB, key: 'plan' });
    await until('the tools of the server', async () => {
      const path = `/api/marketplace/registry/mcp-registry/${OPEN_SERVER}`;
      return (await world.get<{ tools: unknown[] | null }>(path)).tools?.length;
    });
  }
  return {
    world,
    url,
    open,
    keyed,
    [Symbol.asyncDispose]: async () => {
      await world.close();
      await Promise.all([providers.close(), open.close(), keyed.close()]);
    },
  };
}

const REAL = /^v0-servers_.*\.jsonl$/;

/** What the registry really sent; nothing without CAPSTAN_TEST_DATA. */
function realRecords(): unknown[] {
  const dir = dataFile('mcp-registry');
  const file = dir === null ? undefined : readdirSync(dir).find((name) => REAL.test(name));
  if (dir === null || file === undefined) return [];
  const lines = readFileSync(join(dir, file), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

/** In the form of the official registry. */
const record = (name: string, description: string, remote: object) => ({
  server: {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-10-17/server.schema.json',
    name,
    description,
    version: '1.0.0',
    remotes: [remote],
  },
  _meta: {
    'io.modelcontextprotocol.registry/official': {
      status: 'active',
      publishedAt: '2026-01-02T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
      isLatest: true,
    },
  },
});
