import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { cpuTimeOf } from '#test/cpu-time.ts';
import { type Bundle, logEntry, verifyBundle } from './bundle.ts';
import { openCheckpoint, signCheckpoint } from './checkpoint.ts';
import { preAuthEncoding, signEnvelope } from './dsse.ts';
import { inclusionSteps, joinRight, leafHash, wholeSubtrees } from './merkle.ts';
import { jwkOf, keyIdOf, type SigningPair } from './receipt-key.ts';
import { PAYLOAD_TYPE, type RunFacts, runStatement } from './statement.ts';

const hex = 'a1'.repeat(32);
const FACTS: RunFacts = {
  run_id: '019a8c1e-7f00-7000-8000-3b1f6f4f9a10',
  execution_class: 'scripted',
  started_at: '2026-11-20T12:00:00.000Z',
  finished_at: '2026-11-20T12:00:01.250Z',
  status: 'completed',
  exit_code: 0,
  input: { hmac_sha256: hex },
  output: { hmac_sha256: hex },
  environment: { isolation: 'wasm+process', engine: 'just-bash 3.4.2', network: 'none' },
  model: null,
  planner: null,
  trace: { trace_id: 'b2'.repeat(16), digest: hex },
  caller: { commitment: hex },
  attempt: 1,
  intent: { digest: { sha256: hex } },
};

function pair(): SigningPair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { private_key: privateKey, public_key: publicKey, id: keyIdOf(jwkOf(publicKey)) };
}

/** A bundle at `index` of a log with `size` entries; the other entries are made up. */
function bundleOf(
  key: SigningPair,
  index = 5,
  size = 11,
  facts: RunFacts = FACTS,
  statement: unknown = runStatement({ name: 'skill/json-diff@1.0.0', digest: { sha256: hex } }, facts),
): Bundle {
  const dsse = signEnvelope(PAYLOAD_TYPE, Buffer.from(canonicalize(statement) as string), key.private_key, key.id);
  const leaves = Array.from({ length: size }, (_, at) => leafHash(Buffer.from(`entry ${at}`)));
  leaves[index] = leafHash(logEntry(dsse));
  const level = (at: { level: number; position: number }): Buffer =>
    at.level === 0
      ? (leaves[at.position] as Buffer)
      : joinRight([
          level({ level: at.level - 1, position: at.position * 2 }),
          level({ level: at.level - 1, position: at.position * 2 + 1 }),
        ]);
  const rootOf = (nodes: { level: number; position: number }[]) => joinRight(nodes.map(level));
  const root = rootOf(wholeSubtrees(0, size));
  const proof = inclusionSteps(index, size).map((nodes) => rootOf(nodes).toString('base64'));
  const checkpoint = signCheckpoint({ origin: 'capstan.test/receipts', size, root }, key);
  return { dsse, log_entry: { index, size, proof }, checkpoint, jwk: jwkOf(key.public_key) } as Bundle;
}

const KEY = pair();
const GOOD = bundleOf(KEY);

test('a consistent bundle verifies, and names the run and the signing key', () => {
  const verdict = verifyBundle(GOOD);
  assert.ok(verdict.consistent);
  assert.equal(verdict.key_id, KEY.id);
  assert.equal(verdict.checkpoint.origin, 'capstan.test/receipts');
  assert.deepEqual(verdict.statement.predicate, FACTS);
});

const EARLIER: Bundle = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/receipt-v0.1.json', import.meta.url), 'utf8'),
);

test('a receipt signed as version 0.1 still verifies', () => {
  const verdict = verifyBundle(EARLIER);
  assert.ok(verdict.consistent);
  assert.equal(verdict.statement.predicateType, 'urn:capstan:predicate:run:v0.1');
});

test('a receipt of a tool call verifies, and its subject is the digest of its tool', () => {
  const fixture = new URL('../../../test/fixtures/receipt-call-v0.1.json', import.meta.url);
  const verdict = verifyBundle(JSON.parse(readFileSync(fixture, 'utf8')));
  assert.ok(verdict.consistent);
  const { predicateType, predicate, subject } = verdict.statement;
  assert.equal(predicateType, 'urn:capstan:predicate:call:v0.1');
  assert.ok('tool' in predicate);
  const digest = createHash('sha256').update(canonicalize(predicate.tool) as string);
  assert.equal(subject[0]?.digest.sha256, digest.digest('hex'));
});

const IN_A_BOX = {
  environment: {
    isolation: 'native+bwrap+seccomp',
    engine: 'node 26.10.0',
    network: 'allow_list' as const,
    hosts: {
      granted_sha256: hex,
      reached: [{ host: 'api.example.com', port: 443, connections: 2, bytes_in: 10, bytes_out: 20 }],
      refused: [{ host: 'evil.example', port: 0, reason: 'not_granted' }],
      complete: true,
    },
    resources: { cpu_ms: 12, memory_bytes: 1_048_576, processes: 3 },
  },
  package: { purl: 'pkg:npm/clock@1.0.0', lock_sha256: hex, tree_sha256: hex },
  packages: [{ ecosystem: 'pypi' as const, lock_sha256: hex, tree_sha256: hex }],
};

test('a receipt includes the package, hosts and resources of a run, which version 0.1 does not allow', () => {
  const facts: RunFacts = { ...FACTS, ...IN_A_BOX };
  const verdict = verifyBundle(bundleOf(KEY, 5, 11, facts));
  assert.ok(verdict.consistent);
  assert.deepEqual(verdict.statement.predicate, facts);
  const statement = { ...runStatement({ name: 'x', digest: { sha256: hex } }, facts) };
  const earlier = Object.assign(statement, { predicateType: 'urn:capstan:predicate:run:v0.1' });
  const refused = verifyBundle(bundleOf(KEY, 5, 11, facts, earlier));
  assert.ok(!refused.consistent);
  assert.equal(refused.failed, 'statement');
});

/** The paths of all strings and numbers in the bundle. */
function placesOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, item]) =>
    placesOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function withChange(path: (string | number)[], change: (value: unknown) => unknown): unknown {
  const copy = structuredClone(GOOD) as unknown as Record<string | number, unknown>;
  const last = path.at(-1) as string | number;
  const holder = path.slice(0, -1).reduce((node, key) => node[key] as Record<string | number, unknown>, copy);
  holder[last] = change(holder[last]);
  return copy;
}

test('changing any character or number of a bundle makes it invalid', () => {
  const places = placesOf(GOOD);
  assert.ok(places.length > 10);
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.nat(), fc.integer({ min: 1, max: 127 }), (path, at, by) => {
      const changed = withChange(path, (value) => {
        if (typeof value === 'number') return value + by;
        const text = value as string;
        const place = at % text.length;
        const code = text.charCodeAt(place) ^ by;
        return text.slice(0, place) + String.fromCharCode(code) + text.slice(place + 1);
      });
      assert.equal(verifyBundle(changed).consistent, false);
    }),
    { numRuns: 3_000 },
  );
});

test('rejects an invalid bundle quickly, with a fixed message that quotes none of it', () => {
  const hostile = { ...GOOD, dsse: { ...GOOD.dsse, '\u001b[2J': 1, signatures: Array(400_000).fill(1) } };
  assert.ok(cpuTimeOf(() => verifyBundle(hostile), 50) < 50);
  assert.deepEqual(verifyBundle(hostile), {
    consistent: false,
    failed: 'form',
    detail: 'Not a receipt bundle: dsse is missing or malformed.',
  });
  for (const text of ['{"__proto__":1}', '[]', 'null', '"x"', `${'['.repeat(100_000)}${']'.repeat(100_000)}`])
    assert.equal(verifyBundle(JSON.parse(text)).consistent, false);
  assert.equal(verifyBundle({ ...GOOD, more: 1 }).consistent, false);
});

test('rejects a bundle with a missing, additional or mistyped field', () => {
  for (const path of placesOf(GOOD)) {
    for (const other of [null, undefined, '', 0, [], {}, true])
      assert.equal(verifyBundle(withChange(path, () => other)).consistent, false, path.join('.'));
  }
  assert.equal(verifyBundle({ ...GOOD, more: 1 }).consistent, false);
  assert.equal(verifyBundle({ ...GOOD, jwk: { ...GOOD.jwk, kid: 'me' } }).consistent, false);
  for (const odd of [null, 7, 'text', [], [GOOD]]) assert.equal(verifyBundle(odd).consistent, false);
});

test('rejects non-canonical base64 of the same bytes', () => {
  const { sig } = GOOD.dsse.signatures[0] as { sig: string };
  for (const other of [sig.replace(/=+$/, ''), `${sig}\n`, ` ${sig}`, sig.replaceAll('+', '-').replaceAll('/', '_')])
    if (other !== sig)
      assert.equal(verifyBundle(withChange(['dsse', 'signatures', 0, 'sig'], () => other)).consistent, false);
});

test('rejects a signed statement that is not canonical JSON or does not describe a run', () => {
  const statement = runStatement({ name: 'skill/x@1', digest: { sha256: hex } }, FACTS);
  const loose = [
    JSON.stringify(statement, null, 1),
    canonicalize({ ...statement, predicate: { ...FACTS, extra: 1 } }) as string,
    canonicalize({ hello: 'world' }) as string,
    '\uFEFF{}',
    '{',
  ];
  for (const text of loose) {
    const dsse = signEnvelope(PAYLOAD_TYPE, Buffer.from(text), KEY.private_key, KEY.id);
    const verdict = verifyBundle({ ...GOOD, dsse });
    assert.ok(!verdict.consistent && verdict.failed === 'statement', text);
  }
});

test('rejects a bundle with a part of another valid bundle', () => {
  const other = bundleOf(pair(), 3, 9);
  for (const part of ['dsse', 'log_entry', 'checkpoint', 'jwk'] as const)
    assert.equal(verifyBundle({ ...GOOD, [part]: other[part] }).consistent, false, part);
});

test('rejects a checkpoint with another key or a modified text', () => {
  assert.equal(openCheckpoint(GOOD.checkpoint, pair().public_key), null);
  assert.equal(openCheckpoint(`${GOOD.checkpoint}— other AAAA\n`, KEY.public_key), null);
  assert.equal(openCheckpoint(GOOD.checkpoint.replace('\n11\n', '\n011\n'), KEY.public_key), null);
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

test('openssl alone can verify the signature of a receipt', {
  skip: !hasOpenssl && 'there is no openssl here',
}, () => {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-openssl-'));
  try {
    const { payload, payloadType, signatures } = GOOD.dsse;
    writeFileSync(join(dir, 'signed'), preAuthEncoding(payloadType, Buffer.from(payload, 'base64')));
    writeFileSync(join(dir, 'signature'), Buffer.from(signatures[0]?.sig ?? '', 'base64'));
    writeFileSync(join(dir, 'key.pem'), KEY.public_key.export({ format: 'pem', type: 'spki' }));
    const check = 'pkeyutl -verify -pubin -inkey key.pem -rawin -in signed -sigfile signature';
    const said = execFileSync('openssl', check.split(' '), { cwd: dir, encoding: 'utf8' });
    assert.match(said, /Verified Successfully/);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
