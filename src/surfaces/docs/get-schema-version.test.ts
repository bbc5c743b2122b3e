import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input, text } from '#test/docs-deps.ts';
import { getSchemaVersion } from './get-schema-version.ts';

test('200: version and title of the contract', async () => {
  const { body } = await text(getSchemaVersion('1.2.3')(input({})));
  assert.deepEqual(JSON.parse(body), { version: '1.2.3', title: 'Capstan' });
});
