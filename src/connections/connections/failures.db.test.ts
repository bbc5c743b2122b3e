import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import type { McpFailure } from '#core/mcp/failure.ts';
import { connectionsStand } from '#test/connections-stand.ts';
import { openTestDatabase } from '#test/databases.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import { AUTH_TYPES } from './connection.ts';
import { problemOf, refusedAccess } from './failures.ts';

const database = await openTestDatabase();
const stand = await connectionsStand(database);
const fake = await startMcpFake([{ name: 'x', call: () => textResult('done') }]);
after(async () => {
  await stand[Symbol.asyncDispose]();
  await fake.close();
  await database.close();
});

const failure = (status: number, challenge: string | null): McpFailure => ({
  reason: 'auth_needed',
  detail: 'the server requires authorization',
  code: null,
  status,
  challenge,
  guard: null,
  is_stale: false,
});
const codeOf = (mcpFailure: McpFailure, type: (typeof AUTH_TYPES)[number]) =>
  problemOf(refusedAccess(mcpFailure, { type })).code;

test('a 403 with stored credentials requires a new sign-in only if OAuth can add the missing scope', () => {
  const wantsScope = 'Bearer error="insufficient_scope", scope="write"';
  for (const type of AUTH_TYPES) {
    const refused = type === 'none' ? 'connections.authorization_required' : 'connections.forbidden';
    assert.equal(codeOf(failure(403, null), type), refused, type);
    assert.equal(codeOf(failure(403, 'Bearer error="invalid_token"'), type), refused, type);
    assert.equal(codeOf(failure(401, null), type), 'connections.authorization_required', type);
    assert.equal(
      codeOf(failure(403, wantsScope), type),
      type === 'oauth' ? 'connections.authorization_required' : refused,
      type,
    );
  }
});

async function answering(respond: (response: ServerResponse, id: unknown) => unknown) {
  const as = await stand.newUser();
  const path = await stand.connect(as, fake.url);
  await stand.ask(as, 'PUT', `${path}/credentials`, { type: 'bearer', token: 'abcdefgh' });
  fake.fault = (_, response, body) => body.includes('tools/call') && Boolean([respond(response, JSON.parse(body).id)]);
  const called = await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'x' });
  fake.fault = () => false;
  return { called, shown: (await stand.ask(as, 'GET', path)).body };
}

test('403: a call denied by the server is reported without its text, and the connection stays ready', async () => {
  const { called, shown } = await answering((response) => response.writeHead(403).end('<b>go away</b>'));
  assert.deepEqual([called.status, called.body.code, called.body.reason], [403, 'connections.forbidden', 'access']);
  assert.match(called.body.detail, /denied access to this account/);
  assert.doesNotMatch(called.text, /go away/);
  assert.deepEqual([shown.status, shown.last_error], ['ready', null]);
});

test("502: a server's error message is quoted, truncated and without control characters", async () => {
  const message = `Sorry.\u001b[2J\u202e". We say: "${'pay '.repeat(900)}`;
  const { called } = await answering((response, id) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message } })),
  );
  assert.deepEqual([called.body.code, called.body.reason], ['connections.server_failed', 'server_refused']);
  assert.match(
    called.body.detail,
    /^The server returned error -32000 with the words "Sorry\.⟨U\+001B⟩\[2J⟨U\+202E⟩'\. We say: 'pay [^"]{1,200}…"\.$/,
  );
});
