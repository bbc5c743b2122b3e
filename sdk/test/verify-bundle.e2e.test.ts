import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { verifyBundle as verifyOnServer } from '../../src/runtime/receipts/bundle.ts';
import { bundleAt, issueReceipts } from '../../test/receipt-stand.ts';
import { openWorld } from '../../test/world.ts';
import { type Bundle, createCapstan, verifyBundle } from '../src/index.ts';
import { canonicalJson } from '../src/receipts/canonical-json.ts';

/** Real receipts of a service, in logs of several sizes; and every one of them changed. */

const world = await openWorld();
after(() => world.close());
const ids = await issueReceipts(world, 7);
await world.receipts.log();
const issuer = createCapstan({ base_url: '', fetch: world.fetch });
const bundles = await Promise.all(ids.map((id) => bundleAt(world, id)));
const GOOD = bundles[4] as Bundle;

test('every receipt of a log is valid, with the same statement, key and index as on the server', async () => {
  for (const bundle of bundles) {
    const verdict = await verifyBundle(bundle, { issuer });
    const theirs = verifyOnServer(bundle);
    assert.ok(verdict.valid && theirs.consistent);
    assert.deepEqual([verdict.verdict, verdict.issuer, verdict.failed], ['valid', 'pinned', null]);
    assert.deepEqual(
      [verdict.statement, verdict.key_id, verdict.log.index],
      [theirs.statement, theirs.key_id, theirs.index],
    );
  }
});

test('without an issuer, the verdict is "issuer unknown"; with the key of another issuer, the bundle is refused', async () => {
  const unpinned = await verifyBundle(GOOD);
  const { verdict, valid, consistent } = unpinned;
  assert.deepEqual([verdict, valid, consistent], ['internally consistent, issuer unknown', false, true]);
  const { keys } = await issuer.receipts.listKeys();
  for (const issuer_key of [{ keys }, GOOD.jwk])
    assert.equal((await verifyBundle(GOOD, { issuer_key })).verdict, 'valid');
  const other = { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) };
  for (const issuer_key of [other, { keys: [other] }, { keys: [] }]) {
    const verdict = await verifyBundle(GOOD, { issuer_key });
    assert.deepEqual([verdict.verdict, verdict.failed], ['refused', 'issuer']);
  }
});

test('a receipt signed as version 0.1 is still internally consistent', async () => {
  const text = await readFile(new URL('../../test/fixtures/receipt-v0.1.json', import.meta.url), 'utf8');
  const { consistent } = await verifyBundle(JSON.parse(text));
  assert.equal(consistent, true);
});

test('a receipt of a tool call is internally consistent', async () => {
  const text = await readFile(new URL('../../test/fixtures/receipt-call-v0.1.json', import.meta.url), 'utf8');
  const verdict = await verifyBundle(JSON.parse(text));
  assert.ok(verdict.consistent && 'statement' in verdict && 'tool' in verdict.statement.predicate);
});

test('a receipt of a rejected task is internally consistent, with the same statement as on the server', async () => {
  const text = await readFile(new URL('../../test/fixtures/receipt-refusal-v0.1.json', import.meta.url), 'utf8');
  const [verdict, theirs] = [await verifyBundle(JSON.parse(text)), verifyOnServer(JSON.parse(text))];
  assert.ok(verdict.consistent && 'statement' in verdict && theirs.consistent, JSON.stringify(verdict));
  assert.deepEqual(verdict.statement, theirs.statement);
  assert.equal(verdict.statement?.predicate.status, 'refused');
});

/** Every place in the bundle that holds a text or a number. */
function placesOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, item]) =>
    placesOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function withChange(path: (string | number)[], change: (value: unknown) => unknown): unknown {
  const copy = structuredClone(GOOD) as unknown as Record<string | number, unknown>;
  const holder = path.slice(0, -1).reduce((node, key) => node[key] as Record<string | number, unknown>, copy);
  const last = path.at(-1) as string | number;
  holder[last] = change(holder[last]);
  return copy;
}

/** Refused here for the very reason that the service has. */
async function refused(bundle: unknown, what: string): Promise<void> {
  const [ours, theirs] = [await verifyBundle(bundle, { issuer_key: GOOD.jwk }), verifyOnServer(bundle)];
  assert.ok(!ours.valid && !theirs.consistent, what);
  assert.deepEqual([ours.failed, ours.detail], [theirs.failed, theirs.detail], what);
}

test('rejects a bundle with any character of any field changed', async () => {
  const places = placesOf(GOOD);
  assert.ok(places.length > 10);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), fc.nat(), fc.integer({ min: 1, max: 127 }), async (path, at, by) => {
      const changed = withChange(path, (value) => {
        if (typeof value === 'number') return value + by;
        const text = value as string;
        const place = at % text.length;
        return text.slice(0, place) + String.fromCharCode(text.charCodeAt(place) ^ by) + text.slice(place + 1);
      });
      await refused(changed, `${path.join('.')} ${at} ${by}`);
    }),
    { numRuns: 300 },
  );
});

test('rejects a bundle with a field removed, added or of another type', async () => {
  for (const path of placesOf(GOOD))
    for (const other of [null, undefined, '', 0, [], {}, true])
      await refused(
        withChange(path, () => other),
        path.join('.'),
      );
  await refused({ ...GOOD, more: 1 }, 'more');
  await refused({ ...GOOD, jwk: { ...GOOD.jwk, kid: 'me' } }, 'kid');
  for (const odd of [null, 7, 'text', [], [GOOD], JSON.parse('{"__proto__":1}')]) await refused(odd, `${odd}`);
});

test('rejects a signature in a different base64 form of the same bytes', async () => {
  const { sig, keyid } = GOOD.dsse.signatures[0] as { sig: string; keyid: string };
  const stray = sig.replace(
    /.==$/,
    (match) => `${match === 'A==' ? 'B' : match === 'Q==' ? 'R' : match === 'g==' ? 'h' : 'x'}==`,
  );
  for (const other of [stray, sig.replace(/=+$/, ''), ` ${sig}`, `${sig}\n`])
    await refused({ ...GOOD, dsse: { ...GOOD.dsse, signatures: [{ keyid, sig: other }] } }, other);
});

test('rejects a bundle with the signature or the log entry of another receipt', async () => {
  const other = bundles[5] as Bundle;
  for (const part of ['dsse', 'log_entry'] as const) await refused({ ...GOOD, [part]: other[part] }, part);
  const early = { ...GOOD, log_entry: { ...GOOD.log_entry, proof: GOOD.log_entry.proof.slice(1) } };
  await refused(early, 'a shorter proof');
  await refused(
    { ...GOOD, log_entry: { ...GOOD.log_entry, proof: [...GOOD.log_entry.proof, 'A'.repeat(43).concat('=')] } },
    'a longer one',
  );
});

test('canonicalJson() follows RFC 8785', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.parse(JSON.stringify(value));
      assert.equal(canonicalJson(json), canonicalize(json));
    }),
    { numRuns: 300 },
  );
  assert.throws(() => canonicalJson('\ud800'));
  assert.equal(
    canonicalJson({ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, ö: 7 }),
    '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
  );
});
