import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readResource } from './resources.ts';

const BASE = 'https://capstan.example';

test('only the service and its MCP endpoint are valid OAuth resources', () => {
  assert.equal(readResource(BASE, undefined), `${BASE}/mcp/jsonrpc`);
  for (const text of [BASE, `${BASE}/`, 'HTTPS://CAPSTAN.example:443'])
    assert.equal(readResource(BASE, text), BASE, text);
  for (const text of [`${BASE}/mcp/jsonrpc`, `${BASE}/mcp/jsonrpc/`, `${BASE}/mcp`])
    assert.equal(readResource(BASE, text), `${BASE}/mcp/jsonrpc`);
  for (const text of [
    '',
    `${BASE}/mcp/mine`,
    `${BASE}/?x`,
    `${BASE}/#x`,
    `${BASE}.evil.example`,
    'https://u@capstan.example',
    'x',
  ])
    assert.equal(readResource(BASE, text), null, text);
});
