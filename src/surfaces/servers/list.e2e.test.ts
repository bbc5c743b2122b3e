import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { compileSchema } from '#core/http/validate.ts';
import { checkAgainst } from '#core/json-schema/check.ts';
import { removeAll, saveAll } from '#test/interop-stand.ts';
import { listing, remote } from '#test/listings.ts';
import { dataFile } from '#test/test-data.ts';
import { openWorld } from '#test/world.ts';
import { OFFICIAL, ServerList } from './shapes.ts';

type List = ServerList & { error?: string };

const server = (provider: Parameters<typeof listing>[0], id: string, more: Parameters<typeof listing>[2] = {}) =>
  listing(provider, id, { ...remote(`https://${id.replace(/[^a-z]/g, '')}.example/mcp`), ...more });

const LONG = `ann/${'long-name-'.repeat(30)}`;
const SERVERS = [
  server('docker', 'weather_map', { name: 'Weather map', downloads: 7 }),
  server('glama', 'Ann/weather.now', { downloads: 9, description: 'Ω '.repeat(200) }),
  server('glama', LONG, { name: '' }),
  server('mcp-registry', 'example.ann/notes', { name: 'Notes', version: '1.2.0', tags: ['deprecated'] }),
  server('mcp-registry', 'example.bob/weather', { downloads: 7, name: 'weather map' }),
  server('smithery', 'bob/clock', { description: '', homepage: 'https://bob.example/a"b' }),
];
const GONE = server('smithery', 'bob/gone');

const world = await openWorld();
after(() => world.close());
const { db } = world.database;
await saveAll(db, [...SERVERS, GONE, listing('clawhub', 'ann/skill')], '2026-03-01T00:00:00.000Z');
await removeAll(db, [GONE], '2026-03-02T00:00:00.000Z');
await world.catalog.refresh();

async function list(query: string): Promise<List> {
  const answer = await world.fetch(`/v0.1/servers?${query}`);
  const body = (await answer.json()) as List;
  return answer.status === 200 ? body : { ...body, error: `${answer.status} ${body.error}` };
}

/** Names by page. */
async function walk(query: string, between = async (_page: number) => {}): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor = ''; ; ) {
    const { servers, metadata, error } = await list(`${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    assert.equal(error, undefined);
    assert.equal(metadata.count, servers.length);
    pages.push(servers.map((response) => response.server.name));
    if (metadata.nextCursor === undefined) return pages;
    cursor = metadata.nextCursor;
    await between(pages.length);
  }
}

const NAMES = [
  'localhost.capstan.docker/weather.umap',
  'localhost.capstan.glama/Ann_weather.dnow',
  'example.ann/notes',
  'example.bob/weather',
  'localhost.capstan.smithery/bob_clock',
];
const short = (names: string[]): string[] => names.filter((name) => name.length < 100);

test('200: pages contain each server of every provider exactly once, and no other listings', async () => {
  const names = (await walk('limit=2')).flat();
  assert.equal(names.length, SERVERS.length);
  assert.deepEqual(short(names), NAMES);
  assert.match(
    names.find((name) => name.length > 100) as string,
    /^localhost\.capstan\.glama\/ann_long-name.*\.h[0-9a-f]{32}$/,
  );
});

test('200: the paths that clients guess have the same response, also to HEAD', async () => {
  for (const [path, guessed] of [
    ['/v0.1/servers?limit=2', '/v0/servers?limit=2'],
    ['/v0.1/servers/example.ann%2Fnotes/versions', '/v0/servers/example.ann%2Fnotes/versions'],
    ['/v0.1/servers/example.ann%2Fnotes/versions/latest', '/v0/servers/example.ann%2Fnotes/versions/latest'],
    ['/api/schema', '/openapi.yaml'],
    ['/.well-known/agent-card.json', '/.well-known/agent.json'],
  ] as const) {
    const [wanted, got, head] = await Promise.all([
      world.fetch(path),
      world.fetch(guessed),
      world.fetch(guessed, { method: 'HEAD' }),
    ]);
    assert.deepEqual([wanted.status, got.status, head.status], [200, 200, 200], guessed);
    assert.equal(await got.text(), await wanted.text(), guessed);
    for (const name of ['content-type', 'cache-control', 'etag'])
      for (const answer of [got, head]) assert.equal(answer.headers.get(name), wanted.headers.get(name), guessed);
    assert.equal(await head.text(), '');
  }
});

test('200: the response matches the schema of the MCP registry', async () => {
  const { servers } = await list('limit=100&include_deleted=true');
  assert.equal(servers.length, SERVERS.length + 1);
  assert.deepEqual(compileSchema(ServerList)({ servers, metadata: { count: 1 } }), []);
  const [docker, ann] = servers as [(typeof servers)[0], (typeof servers)[0]];
  assert.deepEqual(docker.server.remotes, [{ type: 'streamable-http', url: 'https://weathermap.example/mcp' }]);
  assert.equal(ann.server.description.length <= 100 && ann.server.description.endsWith('Ω…'), true);
  assert.equal(ann._meta[OFFICIAL].publishedAt, '2026-03-01T00:00:00.000Z');
  const statuses = servers.map((response) => response._meta[OFFICIAL].status);
  assert.deepEqual(statuses.sort(), [...Array(5).fill('active'), 'deleted', 'deprecated']);
  const clock = servers.find((response) => response.server.name.endsWith('clock'))?.server;
  assert.deepEqual([clock?.description, clock?.websiteUrl], ['bob/clock', undefined]);
});

const OFFICIAL_FILE = dataFile('mcp-registry/openapi_2025.yaml');

// The test above covers the format. With CAPSTAN_TEST_DATA, the response is also compared with the published file.
async function fitsOfficialFile(file: string): Promise<void> {
  const official = parse(readFileSync(file, 'utf8'));
  const schema = { components: official.components, $ref: '#/components/schemas/ServerList' };
  assert.deepEqual(checkAgainst(schema, await list('include_deleted=true')), { errors: [] });
  const broken = { servers: [{ server: { name: 'no slash', description: '', version: '1' } }] };
  assert.notDeepEqual(checkAgainst(schema, broken), { errors: [] });
}

if (OFFICIAL_FILE !== null)
  test('200: the response matches the official OpenAPI file', () => fitsOfficialFile(OFFICIAL_FILE));

test('200: a cursor keeps its position while listings come and go', async () => {
  const early = server('docker', 'aaa');
  const names = await walk('limit=2', async (page) => {
    if (page !== 1) return;
    // The listing that the cursor names is removed, and others are added before and after it.
    await saveAll(db, [early, server('smithery', 'zed')]);
    await removeAll(db, [SERVERS[1] as never]);
    await world.catalog.refresh();
  });
  assert.deepEqual(short(names.flat()), [...NAMES, 'localhost.capstan.smithery/zed']);
  await removeAll(db, [early, server('smithery', 'zed')]);
  await saveAll(db, [SERVERS[1] as never]);
  await world.catalog.refresh();
});

test('200: updated_since returns changes in order, including removed servers', async () => {
  const { servers } = await list('updated_since=2026-03-02T00:00:00Z');
  assert.deepEqual(
    servers.map((response) => [response.server.name.split('/')[1], response._meta[OFFICIAL].status]),
    [
      ['bob_gone', 'deleted'],
      ['aaa', 'deleted'],
      ['zed', 'deleted'],
      ['Ann_weather.dnow', 'active'],
    ],
  );
  const times = servers.map((response) => response._meta[OFFICIAL].updatedAt);
  assert.deepEqual(times, [...new Set(times)].sort(), 'no two changes have the same time');
  // Asking again with the last time returns that server again and later changes.
  const again = await list(`updated_since=${times.at(-1)}`);
  assert.deepEqual(
    again.servers.map((response) => response.server.name),
    [servers.at(-1)?.server.name],
  );
  assert.deepEqual((await list('updated_since=2026-03-02T00:00:00%2B01:00&limit=1')).servers.length, 1);
  assert.deepEqual((await walk('limit=1&updated_since=2026-03-02T00:00:00Z')).length, 4);
});

test('200: a search finds words and whole names, in pages', async () => {
  const found = await walk('search=WEATHER&limit=1');
  assert.deepEqual(found, [
    ['localhost.capstan.glama/Ann_weather.dnow'],
    ['localhost.capstan.docker/weather.umap'],
    ['example.bob/weather'],
  ]);
  assert.deepEqual(await walk('search=example.ann/notes'), [['example.ann/notes']]);
  assert.deepEqual(await walk('search=localhost.capstan.smithery/bob_clock'), [
    ['localhost.capstan.smithery/bob_clock'],
  ]);
  assert.deepEqual(await walk('search=weather&version=9'), [[]]);
  assert.deepEqual((await walk('search=gone&include_deleted=true')).flat(), ['localhost.capstan.smithery/bob_gone']);
  assert.deepEqual((await walk('version=1.2.0&search=&cursor=&updated_since=&unknown=1')).flat(), [
    'example.ann/notes',
  ]);
});

test('200: a search continues from its cursor alone, as VS Code requests the next page', async () => {
  const first = await list('limit=2&version=latest&search=weather');
  const second = await list(`limit=2&version=latest&cursor=${first.metadata.nextCursor}`);
  assert.deepEqual(
    second.servers.map((response) => response.server.name),
    ['example.bob/weather'],
  );
  assert.equal(second.metadata.nextCursor, undefined);
});

test('400: forged, foreign and huge cursors, and invalid values', async () => {
  const { metadata } = await list('limit=1');
  const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const cursors = [
    'x',
    '!',
    '1',
    `${metadata.nextCursor}x`,
    'A'.repeat(9_000),
    forged(['key', 'a']),
    forged(['key', 1, 2]),
    forged(['found', 1, 'a', 'b', 'x'.repeat(401)]),
  ];
  for (const cursor of [...cursors, forged(['found', 'x', 'a', 'b', 'c']), forged(['key', 'a', 'b\0']), forged(null)])
    assert.match((await list(`cursor=${cursor}`)).error ?? '', /^400 Invalid cursor/, cursor.slice(0, 20));
  assert.match((await list(`search=weather&cursor=${metadata.nextCursor}`)).error ?? '', /^400 Invalid cursor/);
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=1&limit=2',
    'updated_since=yesterday',
    'include_deleted=2',
  ])
    assert.match((await list(query)).error ?? '', /^400 /, query);
});

test('allows requests from any origin, also with a token or an additional slash in the URL', async () => {
  const answer = await world.fetch('//v0.1/servers/?limit=1');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  const preflight = await world.fetch('/v0.1/servers', {
    method: 'OPTIONS',
    headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' },
  });
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Content-Type.*Authorization/);
  const etag = answer.headers.get('etag') as string;
  const same = await world.fetch('/v0.1/servers?limit=1', { headers: { 'if-none-match': etag } });
  assert.equal(same.status, 304);
});

test('the URLs in catalogs and sitemaps of this host respond with 200', async () => {
  const catalog = await world.get<{ entries: { url: string }[] }>('/.well-known/ai-catalog.json');
  const { linkset } = await world.get<{ linkset: Record<string, { href: string }[]>[] }>('/.well-known/api-catalog');
  const links = linkset.flatMap(({ anchor: _, ...relations }) => Object.values(relations).flat());
  const parts = [...(await (await world.fetch('/sitemap.xml')).text()).matchAll(/<loc>([^<]+)/g)].map(
    (match) => match[1] as string,
  );
  const urls = [...catalog.entries.slice(0, 3).map((entry) => entry.url), ...links.map((link) => link.href), ...parts];
  for (const url of new Set(urls)) assert.equal((await world.fetch(new URL(url).pathname)).status, 200, url);
});

test('200: pages of a filter reach the few matching entries among many', async () => {
  const many = Array.from({ length: 600 }, (_, i) => server('smithery', `many/${String(i).padStart(4, '0')}`));
  await saveAll(db, [...many, server('smithery', 'zoe/wanted'), server('docker', 'wanted')]);
  await world.catalog.refresh();
  const pages = await walk('search=wanted&include_deleted=true&limit=1');
  assert.deepEqual(pages.flat(), ['localhost.capstan.docker/wanted', 'localhost.capstan.smithery/zoe_wanted']);
});
