import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harnessTools } from './rig-harness.ts';

test('any invalid path from a model returns an error for that file or memory', async () => {
  const harness = { kept: 1, files: new Map([['HARNESS.md', Buffer.from('x')]]) };
  const tools = harnessTools(undefined as never, harness);
  const never = new AbortController().signal;
  for (const name of ['read_harness_file', 'read_memory'])
    for (const input of [
      { path: { toString: 1 } },
      { path: null },
      { path: 'a\0b' },
      { path: '\ud800' },
      null,
      'x',
      {},
    ])
      assert.equal(
        (await tools.find((tool) => tool.name === name)?.run(input, never))?.failed,
        true,
        JSON.stringify(input),
      );
  const read = await tools[0]?.run({ path: 'HARNESS.md' }, never);
  assert.match(read?.text ?? '', /"text":"x"/);
});
