import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateSdk } from '../../sdk/generate/generate.ts';
import { FILES, isGenerated, read } from './tree.ts';

test('the generated SDK files match openapi.yaml', () => {
  const files = generateSdk(read('openapi.yaml'));
  assert.deepEqual(FILES.filter(isGenerated), Object.keys(files).sort());
  for (const [path, text] of Object.entries(files))
    assert.ok(read(path) === text, `${path} is stale; run: npm run capstand -- schema --write`);
});
