import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input, text } from '#test/handler-input.ts';
import { interopStand } from '#test/interop-stand.ts';
import { listing } from '#test/listings.ts';
import { listServerVersions } from './list-versions.ts';

const server = (id: string) => listing('smithery', id, { listing_type: 'server', version: '' });
const stand = await interopStand([server('ann/notes'), listing('clawhub', 'ann/skill')], [server('ann/gone')]);

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
