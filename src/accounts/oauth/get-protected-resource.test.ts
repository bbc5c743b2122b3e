import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getProtectedResource } from './get-protected-resource.ts';

const AT = '/.well-known/oauth-protected-resource';
async function ask(base_url: string, behind: string) {
  const reply = await getProtectedResource({ base_url })({ raw_path: AT + behind } as never);
  return JSON.parse(reply.body as string) as Record<string, unknown>;
}

test('200: describes the service and its MCP endpoint, each at its own path', async () => {
  const base = 'https://capstan.example';
  assert.deepEqual(await ask(base, ''), {
    resource: base,
    authorization_servers: [base],
    scopes_supported: ['read', 'write', 'admin'],
    bearer_methods_supported: ['header'],
    resource_name: 'Capstan',
    resource_documentation: `${base}/docs`,
  });
  for (const path of ['/mcp/jsonrpc', '/mcp']) {
    const mcp = await ask(base, path);
    // Clients reject metadata whose resource is not the address that they were given.
    assert.deepEqual([mcp.resource, mcp.scopes_supported], [base + path, ['read', 'write']]);
  }
});

test('200: also at the paths that clients derive if the service has a base path', async () => {
  const base = 'https://host.example/capstan';
  for (const behind of ['/mcp/jsonrpc', '/capstan/mcp/jsonrpc'])
    assert.equal((await ask(base, behind)).resource, `${base}/mcp/jsonrpc`);
  assert.equal((await ask(base, '/capstan')).resource, base);
});

test('404: there is no such resource', async () => {
  for (const behind of ['/', '/mcp/', '/mcp/jsonrpc/', '/capstan', '/mcp%2Fjsonrpc'])
    await assert.rejects(ask('https://capstan.example', behind), { code: 'http.not_found' }, behind);
});
