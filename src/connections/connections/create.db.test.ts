import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextSeq } from '#catalog/changes/changes.ts';
import type { Listing } from '#catalog/items/item.ts';
import { saveListings } from '#catalog/items/items.ts';
import type { Database } from '#core/db/open.ts';
import { connectionsStand, startOdd } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';

const PATH = '/api/sessions/connections';
const tools = [{ name: 'x', call: () => textResult('') }];

const listing = (external_id: string, remotes: object[]): Listing => ({
  name: 'Tides',
  description: 'd',
  version: '1.0.0',
  author: 'ann',
  homepage: '',
  downloads: 0,
  stars: 0,
  tags: [],
  source: 'mcp-registry',
  provider_id: 'mcp-registry',
  external_id,
  listing_type: 'server',
  execution_class: 'mcp',
  external_updated_at: null,
  license: '',
  repository: '',
  manifest: null,
  aliases: [],
  install: { packages: [], remotes },
  reported: { downloads: false, stars: false, updated_at: false },
});

const saved = async ({ db }: Database, listing: Listing) =>
  db.transaction().execute((trx) =>
    saveListings(trx, listing.provider_id, [listing], {
      run: 'r',
      now: '2026-01-01T00:00:00.000Z',
      seq: () => nextSeq(trx),
    }),
  );

eachDatabase('creating a connection', (open) => {
  test('201: a server URL is connected immediately, under a unique name', async () => {
    await using stand = await connectionsStand(await open());
    for (const era of ['modern', 'legacy', 'sessions'] as const) {
      const fake = await startMcpFake(tools, { era });
      const as = await stand.newUser();
      const made = await stand.ask(as, 'POST', PATH, { url: fake.url });
      assert.equal(made.status, 201, made.text);
      const { status, server_info, protocol_version, auth, name } = made.body;
      assert.deepEqual([status, server_info.name, auth.type], ['ready', 'fake', 'none']);
      assert.equal(protocol_version, era === 'modern' ? '2026-07-28' : '2025-11-25');
      assert.equal((await stand.ask(as, 'POST', PATH, { url: fake.url })).body.name, `${name} 2`);
      const taken = await stand.ask(as, 'POST', PATH, { url: fake.url, name });
      assert.deepEqual([taken.status, taken.body.code], [409, 'connections.conflict']);
      await fake.close();
    }
  });

  test("201: a listing's connection names the required values, stores plain ones, and refuses secrets", async () => {
    const database = await open();
    await using stand = await connectionsStand(database);
    const fake = await startMcpFake(tools);
    const headers = [{ name: 'Authorization', secret: true, required: true, value: 'Bearer {token}' }];
    const variables = [
      { name: 'token', secret: true, description: 'Personal token' },
      { name: 'region', default: 'north' },
    ];
    const remote = { transport: 'streamable-http', url: `${fake.url}?r={region}&t={team}`, headers, variables };
    await saved(database, listing('com.example/tides', [{ transport: 'stdio', url: 'https://no.example' }, remote]));
    await saved(database, listing('com.example/local', []));
    const as = await stand.newUser();
    const of = (external_id: string, more = {}) =>
      stand.ask(as, 'POST', PATH, { listing: { provider: 'mcp-registry', external_id }, ...more });
    const made = await of('com.example/tides', { variables: { region: 'south' } });
    assert.equal(made.status, 201, made.text);
    const { name, listing: from, auth } = made.body;
    assert.deepEqual([name, from], ['Tides', { provider: 'mcp-registry', external_id: 'com.example/tides' }]);
    const names = (fields: { name: string; in: string }[]) => fields.map((field) => `${field.in} ${field.name}`).sort();
    assert.deepEqual(names(auth.required), ['header Authorization', 'variable team', 'variable token']);
    assert.deepEqual([names(auth.optional), auth.values], [['variable region'], { region: 'south' }]);
    for (const [given, pointer] of [
      [{ token: 's3cret' }, '/variables/token'],
      [{ nobody: 'x' }, '/variables/nobody'],
      [{ region: 'a\r\nb' }, '/variables/region'],
    ] as const) {
      const refused = await of('com.example/tides', { variables: given });
      assert.deepEqual(
        [refused.status, refused.body.code, refused.body.errors[0].pointer],
        [422, 'connections.invalid', pointer],
      );
      assert.ok(!refused.text.includes('s3cret'));
    }
    assert.equal((await of('com.example/local')).body.code, 'connections.invalid');
    assert.equal((await of('com.example/nobody')).body.code, 'registry.not_found');
    await fake.close();
  });

  test('201: a server that requires authorization or is unavailable is connected with the reason', async () => {
    await using stand = await connectionsStand(await open());
    const as = await stand.newUser();
    for (const [answer, status, code, oauth] of [
      [
        [401, { 'www-authenticate': 'Bearer resource_metadata="x"' }],
        'auth_required',
        'connections.authorization_required',
        true,
      ],
      [[401, {}], 'auth_required', 'connections.authorization_required', false],
      [[503, {}], 'error', 'connections.server_failed', null],
    ] as const) {
      const odd = await startOdd((_, response) => void response.writeHead(answer[0], answer[1]).end());
      const made = await stand.ask(as, 'POST', PATH, { url: odd.url });
      assert.deepEqual(
        [made.status, made.body.status, made.body.last_error.code, made.body.auth.oauth],
        [201, status, code, oauth],
        made.text,
      );
      await odd.close();
    }
    assert.equal((await stand.ask(as, 'POST', PATH, { url: 'http://127.0.0.1:1/mcp' })).body.status, 'error');
  });

  test('422: rejects a URL without an MCP server and forbidden addresses, and creates nothing', async () => {
    const database = await open();
    await using stand = await connectionsStand(database);
    await using strict = await connectionsStand(database, { allow_loopback: false });
    const page = await startOdd(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hi'),
    );
    const away = await startOdd(
      (_, response) => void response.writeHead(307, { location: 'http://169.254.169.254/mcp' }).end(),
    );
    const as = await stand.newUser();
    const refusal = async (url: string, by = stand) => {
      const { status, body } = await by.ask(as, 'POST', PATH, { url });
      return [status, body.code];
    };
    assert.deepEqual(await refusal(page.url), [422, 'connections.invalid']);
    assert.deepEqual(await refusal(away.url), [422, 'connections.invalid']);
    for (const url of [
      ...['http://127.0.0.1/mcp', 'https://[::ffff:127.0.0.1]/', 'https://169.254.169.254/latest', 'https://10.0.0.1/'],
      ...[
        'http://example.com/mcp',
        'https://user:pass@example.com/',
        'ftp://example.com/',
        'no address',
        'file:///etc',
      ],
    ])
      assert.deepEqual(await refusal(url, strict), [422, 'connections.invalid'], url);
    assert.deepEqual((await stand.ask(as, 'GET', PATH)).body.total_count, 0);
    await Promise.all([page.close(), away.close()]);
  });

  test('400: neither a URL nor a listing, both, unknown fields, or an invalid name', async () => {
    await using stand = await connectionsStand(await open());
    const as = await stand.newUser();
    const both = { url: 'https://x.example', listing: { provider: 'mcp-registry', external_id: 'x' } };
    for (const [body, code] of [
      [{}, 'http.invalid'],
      [both, 'http.invalid'],
      [{ url: 'https://x.example', command: 'rm' }, 'http.invalid'],
      [{ url: 'https://x.example', name: 'a\u0000b' }, 'http.invalid'],
    ] as const)
      assert.equal((await stand.ask(as, 'POST', PATH, body)).body.code, code);
  });

  test('409: six concurrent requests create no more connections than the limit of a user', async () => {
    await using stand = await connectionsStand(await open(), { config: { CAPSTAN_CONNECTIONS_PER_USER: '3' } });
    const fake = await startMcpFake(tools);
    const as = await stand.newUser();
    const answers = await Promise.all(Array.from({ length: 6 }, () => stand.ask(as, 'POST', PATH, { url: fake.url })));
    assert.deepEqual(answers.map((answer) => answer.body.code ?? answer.status).sort(), [
      201,
      201,
      201,
      'users.limit_exceeded',
      'users.limit_exceeded',
      'users.limit_exceeded',
    ]);
    await fake.close();
  });
});
