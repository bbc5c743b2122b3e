import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const read = (name: string): Promise<string> => readFile(new URL(name, import.meta.url), 'utf8');

test('tools of every wing are loaded one after the other, so that the first call of a model does not hold other requests', async () => {
  const [tools, loading] = await Promise.all([read('./tools.ts'), read('./load-offer.ts')]);
  const wings = [...tools.matchAll(/from '(#[^']+\/tools\.ts)'/g)].map(([, path]) => path as string);
  assert.ok(wings.length >= 10);
  assert.deepEqual(
    wings.filter((path) => !loading.includes(`import('${path}')`)),
    [],
    'name it in load-offer.ts',
  );
});
