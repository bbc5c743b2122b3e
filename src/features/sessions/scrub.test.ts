import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { McpFailure } from '../../platform/mcp/failure.ts';
import { scrubbed } from './scrub.ts';

const failure = (detail: string, challenge: string | null = null): McpFailure => ({
  ...{ reason: 'refused', detail, challenge, code: 1, status: 401, guard: null, is_stale: false },
});
const carried = (headers: Record<string, string>, url = 'https://mcp.example/') => ({ url, headers, version: '1' });

test('what a server repeats of the credentials is masked, whole or in part', () => {
  const basic = Buffer.from('ann:open sesame').toString('base64');
  for (const [header, said] of [
    ['Bearer s3cr3t-token', 'the token s3cr3t-token is old'],
    ['Bearer s3cr3t-token', 'Authorization: Bearer s3cr3t-token'],
    [`Basic ${basic}`, `got ${basic}`],
    [`Basic ${basic}`, 'wrong password open sesame'],
  ] as const) {
    const { detail, challenge } = scrubbed(
      failure(said, said),
      carried({ authorization: header }),
      'https://mcp.example/',
    );
    for (const text of [detail, challenge ?? '']) {
      assert.match(text, /\[redacted\]/, said);
      assert.doesNotMatch(text, /s3cr3t|sesame/, said);
    }
  }
});

test('what a challenge asks for stays readable', () => {
  const asked =
    'Bearer error="insufficient_scope", scope="calls", resource_metadata="https://mcp.example/.well-known/x"';
  const { challenge } = scrubbed(
    failure('', asked),
    carried({ authorization: 'Bearer s3cr3t-token' }),
    'https://mcp.example/',
  );
  assert.equal(challenge, asked);
});

test('what an address was filled with is masked, its own words are not', () => {
  const shown = 'https://{tenant}.mcp.example/{key}/sse?v=2';
  const filled = 'https://acme-secret.mcp.example/k%20ey-12345/sse?v=2';
  const said = `${filled} does not answer; acme-secret.mcp.example; "k ey-12345"; sse`;
  const { detail } = scrubbed(failure(said), carried({}, filled), shown);
  assert.doesNotMatch(detail, /acme-secret|12345/);
  assert.match(detail, /sse$/);
  const plain = 'https://mcp.example/ does not answer';
  assert.equal(scrubbed(failure(plain), carried({}), 'https://mcp.example/').detail, plain);
});
