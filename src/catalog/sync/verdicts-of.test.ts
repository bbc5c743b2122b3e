import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { areVerdicts } from '#catalog/items/verdicts.ts';
import { verdictsOf } from './verdicts-of.ts';

const namesOf = (provider: (typeof PROVIDERS)[number], record: unknown): string[] =>
  verdictsOf(provider, record).map(({ verdict }) => verdict);

test("verdicts of ClawHub's scanner and moderators are read from lists and details", () => {
  assert.deepEqual(namesOf('clawhub', { slug: 'x', isSuspicious: true }), ['suspicious']);
  const moderation = { verdict: 'suspicious', summary: 'It reads wallets.', reasonCodes: ['wallet'] };
  assert.deepEqual(verdictsOf('clawhub', { moderation }), [
    { verdict: 'suspicious', detail: 'It reads wallets.', at: null },
  ]);
  assert.deepEqual(namesOf('clawhub', { moderation: { isMalwareBlocked: true, isSuspicious: true } }), ['malicious']);
  assert.deepEqual(namesOf('clawhub', { trust: { scanStatus: 'clean' } }), ['clean']);
  assert.deepEqual(
    verdictsOf('clawhub', { isOfficial: true, verificationTier: 'provenance-verified' }).map(
      ({ verdict, detail }) => `${verdict}: ${detail}`,
    ),
    ['official: Marked by ClawHub as official.', 'verified: Verification tier: provenance-verified.'],
  );
  assert.deepEqual(namesOf('clawhub', { verificationTier: 'structural' }), ['rated'], 'not a proof');
});

test('verdicts of other providers are read', () => {
  assert.deepEqual(namesOf('smithery', { verified: true, bySmithery: false, score: 0.5 }), ['verified', 'rated']);
  assert.deepEqual(namesOf('smithery', { verified: false, security: { scanPassed: false } }), ['suspicious']);
  assert.deepEqual(namesOf('glama', { healthy: false, deprecatedAt: '2026-01-02T03:04:05Z' }), [
    'unhealthy',
    'deprecated',
  ]);
  assert.deepEqual(
    verdictsOf('mcp-registry', {
      status: 'deprecated',
      statusMessage: 'Use the new one.',
      statusChangedAt: '2026-01-02T03:04:05Z',
    }),
    [{ verdict: 'deprecated', detail: 'Use the new one.', at: '2026-01-02T03:04:05.000Z' }],
  );
  assert.deepEqual(namesOf('gemini-extensions', { isGoogleOwned: true }), ['official']);
  assert.deepEqual(namesOf('docker', { verified: true }), [], 'Docker has no verdicts');
});

test('any record gives valid verdicts', () => {
  const record = fc.record(
    {
      isSuspicious: fc.anything(),
      moderation: fc.anything(),
      verificationTier: fc.anything(),
      score: fc.anything(),
      healthy: fc.anything(),
      deprecatedAt: fc.anything(),
      attributes: fc.anything(),
      status: fc.constantFrom('deprecated', 1),
      statusMessage: fc.anything(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.constantFrom(...PROVIDERS), fc.oneof(record, fc.anything()), (provider, raw) => {
      const found = verdictsOf(provider, raw);
      assert.ok(areVerdicts(JSON.parse(JSON.stringify(found))), JSON.stringify(found));
    }),
  );
});
