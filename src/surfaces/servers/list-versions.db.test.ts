import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saveDocument } from '#catalog/details/documents.ts';
import { saveStatuses } from '#catalog/items/items.ts';
import { input, text } from '#test/handler-input.ts';
import { interopStand } from '#test/interop-stand.ts';
import { listing } from '#test/listings.ts';
import { getServerVersion } from './get-version.ts';
import { listServerVersions } from './list-versions.ts';
import { OFFICIAL } from './shapes.ts';

const server = (id: string) => listing('smithery', id, { listing_type: 'server', version: '' });
const TIDES = { provider_id: 'mcp-registry', external_id: 'example.ann/tides' } as const;
const LEAKS = { status: 'deprecated', message: 'Leaks.\nKeys.', changed_at: '2026-02-02T00:00:00Z' };
const tides = listing('mcp-registry', TIDES.external_id, {
  listing_type: 'server',
  version: '3.0.0',
  facts: {
    versions: [
      { version: '3.0.0', published_at: '2026-02-03T00:00:00Z', changes: '' },
      { version: '2.0.0', published_at: '2026-02-01T00:00:00.123456Z', changes: '', status: LEAKS },
      { version: '1.0.0', published_at: '2026-01-01', changes: '' },
    ],
  },
});
const stand = await interopStand([server('ann/notes'), tides, listing('clawhub', 'ann/skill')], [server('ann/gone')]);
const RECORDS = [
  {
    server: {
      version: '2.0.0',
      description: 'Second.',
      remotes: [
        { type: 'sse', url: 'https://ann.example/2' },
        { type: 'sse', url: 'javascript:alert(1)' },
      ],
    },
  },
  'none',
];
await saveDocument(stand.db, stand.blobs, TIDES, {
  kind: 'versions',
  url: 'https://registry.example/versions',
  text: JSON.stringify(RECORDS),
  validators: '{}',
  fetched_at: '2026-03-01T00:00:00.000Z',
});

async function versions(name: string, include_deleted?: boolean) {
  const { body } = await text(
    listServerVersions(stand as never)(input({ params: { name }, query: { include_deleted } })),
  );
  return JSON.parse(String(body)).servers.map((server: { server: { version: string } }) => server.server.version);
}

test('200: the only known version', async () => {
  assert.deepEqual(await versions('com.example.capstan.smithery/ann_notes'), ['0.0.0']);
  assert.deepEqual(await versions('com.example.capstan.smithery/ann_gone', true), ['0.0.0']);
});

test('200: earlier versions with their dates and status, and with their record where it is known', async () => {
  assert.deepEqual(await versions(TIDES.external_id), ['3.0.0', '2.0.0', '1.0.0']);
  const get = async (version: string) => {
    const params = { name: TIDES.external_id, version };
    return JSON.parse(String((await text(getServerVersion(stand as never)(input({ params, query: {} })))).body));
  };
  const second = await get('2.0.0');
  assert.deepEqual(second.server, {
    name: TIDES.external_id,
    description: 'Second.',
    version: '2.0.0',
    remotes: [{ type: 'sse', url: 'https://ann.example/2' }],
  });
  assert.deepEqual(second._meta[OFFICIAL], {
    status: 'deprecated',
    statusMessage: 'Leaks. Keys.',
    statusChangedAt: '2026-02-02T00:00:00Z',
    publishedAt: '2026-02-01T00:00:00.123456Z',
    updatedAt: '2026-02-02T00:00:00Z',
    isLatest: false,
  });
  const first = await get('1.0.0');
  assert.deepEqual([first.server.remotes, first._meta[OFFICIAL].publishedAt], [undefined, '2026-01-01T00:00:00.000Z']);
  assert.equal((await get('latest'))._meta[OFFICIAL].isLatest, true);
  await assert.rejects(get('9.0.0'), { code: 'registry.not_found', message: /Known versions: 3.0.0, 2.0.0, 1.0.0\./ });
});

test('200: a deleted server has the reason of its provider', async () => {
  const key = { provider_id: 'smithery', external_id: 'ann/gone' };
  const status = { status: 'deleted', message: 'Leaks.', changed_at: '2026-02-01T00:00:00Z' };
  await saveStatuses(stand.db, key.provider_id, new Map([[key.external_id, status]]));
  const params = { name: 'com.example.capstan.smithery/ann_gone', version: 'latest' };
  const { body } = await text(getServerVersion(stand as never)(input({ params, query: { include_deleted: true } })));
  const { [OFFICIAL]: official } = JSON.parse(String(body))._meta;
  assert.deepEqual(
    [official.status, official.statusMessage, official.statusChangedAt],
    ['deleted', 'Leaks.', '2026-02-01T00:00:00Z'],
  );
});

test('404: unknown, removed, or not a server', async () => {
  const names = [
    'ann/notes',
    'com.example.capstan.smithery/ann_gone',
    'com.example.capstan.clawhub/ann_skill',
    'a\0/b',
    '%',
  ];
  for (const name of names) await assert.rejects(versions(name), { code: 'registry.not_found' }, name);
});
