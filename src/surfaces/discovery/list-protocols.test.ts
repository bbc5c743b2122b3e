import assert from 'node:assert/strict';
import { test } from 'node:test';
import { protocolsOf } from '#app/protocols.ts';
import type { Handler, OperationBase } from '#core/http/operation.ts';
import { listProtocols } from './list-protocols.ts';
import type { DiscoveredProtocol } from './shapes.ts';

test('200: both eras of MCP and other protocols, each available if its endpoint is offered', async () => {
  const operations = [{ path: '/mcp/jsonrpc' }, { path: '/api/schema' }] as OperationBase[];
  const reply = await (listProtocols(protocolsOf({ operations, public_url: null })) as Handler)({} as never);
  const items = JSON.parse(reply.body as string).items as DiscoveredProtocol[];
  const [mcp] = items;
  assert.deepEqual([mcp?.name, mcp?.versions, mcp?.endpoint], ['mcp', ['2025-11-25', '2026-07-28'], '/mcp/jsonrpc']);
  const available = items.filter(({ status }) => status === 'available').map(({ name }) => name);
  assert.deepEqual(available, ['mcp', 'openapi']);
  for (const name of ['mcp-registry', 'agent-skills', 'a2a'])
    assert.ok(
      items.some((item) => item.name === name),
      name,
    );
});
