import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openMcpStand, rpc } from '#test/mcp-stand.ts';

const { world, post } = await openMcpStand({ CAPSTAN_MCP_SESSIONS: '1' });
after(() => world.close());
const end = (headers: Record<string, string>) => world.fetch('/mcp/jsonrpc', { method: 'DELETE', headers });

async function begin() {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: { sampling: {} },
    clientInfo: { name: 'a', version: '1' },
  };
  const begun = await post(rpc('initialize', params), { accept: 'application/json, text/event-stream' });
  assert.equal(begun.status, 200);
  return begun.headers.get('mcp-session-id');
}

test('200: ends the session; 404: an ended session; 405: no session id', async () => {
  const session = { 'mcp-session-id': `${await begin()}` };
  assert.equal(await begin(), null, 'one is all that is taken');
  assert.equal((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session)).status, 202);
  assert.equal((await end(session)).status, 200);
  assert.equal((await end(session)).status, 404);
  assert.equal((await post(rpc('ping'), session)).status, 404);
  assert.equal((await end({})).status, 405);
  assert.equal(typeof (await begin()), 'string');
});
