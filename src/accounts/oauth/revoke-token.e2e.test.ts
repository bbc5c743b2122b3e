import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageDeps } from '#test/page-deps.ts';
import { revokeToken } from './revoke-token.ts';

/** create-token.db.test.ts covers revoked sessions. */

test('200: revoking an invalid token gets the same response', async () => {
  const handler = revokeToken(pageDeps({ tokens: { verify: async () => 'invalid' } }));
  for (const token of ['', 'x', 'a.b.c']) {
    const reply = await handler({ body: { token, client_id: 'x' } } as never);
    assert.deepEqual([reply.status, reply.body], [undefined, '{}']);
  }
});
