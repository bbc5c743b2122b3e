import { nextSeq } from '#catalog/changes/changes.ts';
import { saveListings } from '#catalog/items/items.ts';
import { systemClock } from '#core/clock/clock.ts';
import { defined } from '#core/defined.ts';
import { accountsOf } from '../accounts.ts';
import { openBrowser, SKIP } from '../browser.ts';
import { listing } from '../listings.ts';
import { openNpmRegistry } from '../packages/npm-registry.ts';
import { onHost } from '../packages/runtime.ts';
import { npmCliHere } from '../packages/store.ts';
import { takePicture } from '../picture.ts';
import { until } from '../until.ts';
import { openWorld } from '../world.ts';

/**
 * `npm run soak -- tour`: the pictures of the README that show a server from a package, from its listing to the receipt of a
 * call. The listing and its package are fictional; the box, the refused host and the receipt are real.
 */

if (SKIP !== false) {
  process.stderr.write(`${SKIP}\n`);
  process.exit(1);
}

const SERVER = `#!/usr/bin/env node
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const tools = [
  { name: 'high_water', description: 'Next high water at a station, from the harmonic constants in the package.', inputSchema: { type: 'object', properties: { station: { type: 'string' } }, required: ['station'] } },
  { name: 'surge', description: 'Measured surge at a station, from tides.example.', inputSchema: { type: 'object', properties: { station: { type: 'string' } } } },
];
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
const calls = {
  high_water: ({ station }) => text({ station, high_water: '2026-11-24T17:42Z', metres: 3.8 }),
  surge: async () => text(await fetch('https://tides.example/surge').then(() => 'reached', () => 'tides.example cannot be reached')),
};
let rest = '';
process.stdin.on('data', async (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const { id, method, params } of lines.map((line) => JSON.parse(line))) {
    if (id === undefined) continue;
    if (method === 'initialize') send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'harbour-tides', version: '2.1.0' } } });
    else if (method === 'tools/list') send({ id, result: { tools } });
    else if (method === 'tools/call') send({ id, result: await calls[params.name](params.arguments ?? {}) });
    else send({ id, error: { code: -32601, message: 'no ' + method } });
  }
});`;

/** As the pages of `npm start` name it. */
const PUBLIC_URL = 'http://127.0.0.1:8080';
const EXTERNAL_ID = 'io.github.harbour-example/tides';
const registry = await openNpmRegistry();
registry.publish('harbour-tides', {
  version: '2.1.0',
  manifest: { bin: 'server.js' },
  files: [{ path: 'server.js', text: SERVER }],
});
const world = await openWorld(
  {
    CAPSTAN_NPM_REGISTRY: registry.url,
    CAPSTAN_NPM_CLI: npmCliHere() ?? '',
    PUBLIC_URL,
  },
  'serve',
  undefined,
  undefined,
  { install: onHost },
);
await saveTides();
const { token } = await (await accountsOf(world, systemClock, PUBLIC_URL)).signUp();
const { url } = await world.listen();
const connection = await ask<{ id: string }>('POST', '/api/sessions/connections', {
  listing: { provider: 'mcp-registry', external_id: EXTERNAL_ID },
  name: 'Harbour tides',
  variables: { UNITS: 'metres' },
});
for (const tool of ['high_water', 'surge'])
  await ask('POST', `/api/sessions/connections/${connection.id}/tools/call`, {
    tool,
    arguments: { station: 'cuxhaven' },
  });
const { id: run } = await ask<{ id: string }>('POST', '/api/agents/tasks', {
  capability: { kind: 'listing', ref: `mcp-registry/${EXTERNAL_ID}` },
  input: { tool: 'high_water', arguments: { station: 'cuxhaven' } },
});
await ask('POST', `/api/agents/tasks/${run}/start`);
await until('the end of the run', async () => {
  const { status } = await ask<{ status: string }>('GET', `/api/agents/tasks/${run}`);
  return status === 'completed';
});

const browser = await openBrowser();
const form = `/dashboard/connections?listing=${encodeURIComponent(`mcp-registry/${EXTERNAL_ID}`)}`;
await takePicture(browser, {
  name: 'package-listing',
  url: `${url}/registry/mcp-registry/${EXTERNAL_ID}`,
  scheme: 'light',
});
await takePicture(browser, { name: 'package-connect', url: `${url}${form}`, scheme: 'light', token, height: 1_100 });
await takePicture(browser, {
  name: 'package-connection',
  url: `${url}/dashboard/connections/${connection.id}`,
  scheme: 'light',
  token,
  height: 1_100,
});
await takePicture(browser, { name: 'package-run', url: `${url}/runs/${run}#receipt`, scheme: 'dark', token });
await browser.close();
await world.close();
await registry.close();
process.exit();

async function saveTides(): Promise<void> {
  const server = {
    listing_type: 'server',
    execution_class: 'mcp',
    name: 'Harbour tides',
    description: 'High water and surge at every station of the coast, as tools.',
    author: 'io.github.harbour-example',
    version: '2.1.0',
    install: {
      remotes: [],
      packages: [
        {
          registry_type: 'npm',
          identifier: 'harbour-tides',
          version: '2.1.0',
          transport: 'stdio',
          env: [
            { name: 'UNITS', description: 'Units of heights.', default: 'metres', choices: ['metres', 'feet'] },
            { name: 'STATION', description: 'Station that is used where a call names none.', hint: 'cuxhaven' },
          ],
        },
      ],
    },
  } as const;
  await world.database.db.transaction().execute((trx) =>
    saveListings(trx, 'mcp-registry', [listing('mcp-registry', EXTERNAL_ID, server)], {
      run: 'r',
      now: new Date().toISOString(),
      seq: () => nextSeq(trx),
    }),
  );
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await world.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...defined({ body: method === 'GET' ? undefined : JSON.stringify(body ?? {}) }),
  });
  const text = await answer.text();
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as T;
}
