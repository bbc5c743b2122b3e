import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMeantFor } from './audience.ts';

const jwt = (payload: unknown) =>
  `${Buffer.from('{}').toString('base64url')}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.sig`;
const RESOURCE = 'https://mcp.example/v1/mcp';

test('a JWT is meant for the server unless every URL in its aud claim names another server', () => {
  for (const [aud, isMeant] of [
    [RESOURCE, true],
    ['https://mcp.example', true],
    ['https://mcp.example/v1/', true],
    [['https://other.example', RESOURCE], true],
    [['account', 'https://mcp.example'], true],
    ['https://other.example', false],
    ['https://mcp.example.evil.example', false],
    ['http://mcp.example', false],
    ['https://mcp.example:8443', false],
    ['https://mcp.example/v2', false],
    ['https://mcp.example/v', false],
    [['account', 'https://other.example'], false],
    ['account', true],
    [undefined, true],
    [7, true],
  ] as const)
    assert.equal(isMeantFor(jwt({ aud }), RESOURCE), isMeant, JSON.stringify(aud));
});

test('an opaque or malformed token counts as meant for the server', () => {
  for (const token of ['opaque', 'a.b', 'a.b.c', '..', `x.${Buffer.from('null').toString('base64url')}.y`])
    assert.equal(isMeantFor(token, RESOURCE), true, token);
});
