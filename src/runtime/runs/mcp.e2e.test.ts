import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { defined } from '#core/defined.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { type FakeTool, startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import type { Capability } from './capability.ts';
import { mcpCapability } from './mcp.ts';

const outbound = createOutbound({ allow_loopback: true, user_agent: 'test' });
after(() => outbound.close());

test('a changed idempotency hint changes the digest of a tool, a changed title does not', async () => {
  const tool: FakeTool = { name: 'pay', call: () => textResult('paid') };
  const fake = await startMcpFake([tool]);
  const place = { kind: 'listing', ref: 'mcp-registry/io.x/pay', name: 'io.x/pay', version: '1' } as const;
  const target = { url: fake.url, transport: 'streamable-http', headers: {} } as const;
  const pinned = async (annotations: FakeTool['annotations']): Promise<Capability> => {
    fake.tools[0] = { ...tool, ...defined({ annotations }) };
    return (await mcpCapability(outbound, place, target, { input: { tool: 'pay' } })) as Capability;
  };
  const before = await pinned(undefined);
  assert.equal((await pinned({ title: 'Pay' })).digest, before.digest, 'a title steers nothing');
  const hinted = await pinned({ idempotentHint: true });
  assert.deepEqual([before.repeatable, hinted.repeatable], [false, true]);
  assert.notEqual(hinted.digest, before.digest);
  await fake.close();
});
