import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFor, OAUTH_CLIENTS } from './settings.ts';

const CLIENT = { issuer: 'https://auth.example', client_id: 'c', servers: ['https://mcp.example'] };
const parse = (client: object) => OAUTH_CLIENTS.parse(JSON.stringify([client]));

test('CAPSTAN_OAUTH_CLIENTS requires the MCP servers of each client', () => {
  assert.deepEqual(parse(CLIENT), [CLIENT]);
  assert.deepEqual(parse({ ...CLIENT, scopes: ['read'] }), [{ ...CLIENT, scopes: ['read'] }]);
  const { servers: _, ...without } = CLIENT;
  for (const wrong of [
    without,
    { ...CLIENT, servers: [] },
    { ...CLIENT, servers: 'https://mcp.example' },
    { ...CLIENT, servers: ['mcp.example'] },
    { ...CLIENT, servers: ['https://mcp.example/?x'] },
    { ...CLIENT, scopes: ['a b'] },
    { ...CLIENT, more: 1 },
  ])
    assert.throws(() => parse(wrong), /servers \(the URLs of the MCP servers/, JSON.stringify(wrong));
});

test('a listed server URL matches its origin, or paths below it', () => {
  const is = (server: string, url: string) => isFor({ servers: [server] }, new URL(url));
  assert.ok(is('https://mcp.example', 'https://mcp.example/any/mcp'));
  assert.ok(is('https://mcp.example/team', 'https://mcp.example/team'));
  assert.ok(is('https://mcp.example/team/', 'https://mcp.example/team/mcp'));
  for (const url of [
    'https://mcp.example/teams',
    'https://mcp.example/',
    'http://mcp.example/team',
    'https://mcp.example:1/team',
  ])
    assert.ok(!is('https://mcp.example/team', url), url);
});
