import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tool } from '@modelcontextprotocol/client';
import { heldTimeOf } from '#test/cpu-time.ts';
import { storedTools } from './stored-tools.ts';

/** About 2 MiB, the most that a probe reads, in so many tools. */
function manyTools(count: number): Tool[] {
  const characters = 2_000_000 / count;
  const members = Math.floor(28_000 / count);
  return Array.from({ length: count }, (_, at) => ({
    name: `tool_${at}`,
    description: 'curl http://a.example/`x` '.repeat(characters / 80),
    inputSchema: {
      type: 'object' as const,
      properties: Object.fromEntries(
        Array.from({ length: members / 2 }, (_, n) => [
          `p${at}_${n}`,
          { description: '-eyJ'.repeat(characters / members / 3) },
        ]),
      ),
    },
  }));
}

test('the largest lists of tools hold the event loop for a moment only', async () => {
  for (const count of [20_000, 1_000, 200, 1]) {
    const tools = manyTools(count);
    const heldMs = await heldTimeOf(() => storedTools(tools), { tries: 3 });
    assert.ok(heldMs < 50, `${count} tools: ${heldMs} ms`);
  }
});
