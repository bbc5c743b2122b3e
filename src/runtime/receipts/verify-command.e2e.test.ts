import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import canonicalize from 'canonicalize';
import { bundleAt, issueReceipts } from '#test/receipt-stand.ts';
import { openWorld, type World } from '#test/world.ts';
import { type Bundle, logEntry } from './bundle.ts';
import { signCheckpoint } from './checkpoint.ts';
import { signEnvelope } from './dsse.ts';
import { leafHash } from './merkle.ts';
import { jwkOf, keyIdOf, keyOfJwk, type ReceiptJwk } from './receipt-key.ts';
import { LOCAL_SIGNER, PAYLOAD_TYPE } from './statement.ts';
import { verifyCommand } from './verify-command.ts';

describe('capstand verify', () => {
  let world: World;
  let bundle: Bundle;
  let dir: string;
  before(async () => {
    world = await openWorld();
    bundle = await bundleAt(world, (await issueReceipts(world, 2))[1] as string);
    dir = await mkdtemp(join(tmpdir(), 'capstan-verify-'));
  });
  after(async () => {
    await world.close();
    await rm(dir, { recursive: true });
  });

  const file = async (name: string, content: unknown): Promise<string> => {
    const path = join(dir, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const verify = async (...argv: string[]) => {
    let out = '';
    const write = (chunk: string | Uint8Array) => {
      out += chunk;
    };
    const read = async (url: string) => (await world.fetch(new URL(url).pathname)).text();
    const exit = await verifyCommand(argv, { stdout: { write }, stderr: { write } }, { read });
    return { exit, out };
  };

  test('exit 3: a consistent receipt, but no issuer or key to trust was given', async () => {
    const { exit, out } = await verify(await file('good.json', bundle));
    assert.equal(exit, 3);
    assert.match(out, /internally consistent, issuer unknown/);
    assert.match(out, /skill\/json-diff@1\.0\.1 {2}sha256:abab/);
  });

  test('exit 0: the issuer is pinned by address, JWK, JWK set or PEM', async () => {
    const good = await file('good.json', bundle);
    const jwks = await (await world.fetch('/api/receipts/keys')).text();
    const pem = keyOfJwk(bundle.jwk)?.export({ format: 'pem', type: 'spki' }) as string;
    for (const pin of [
      ['--issuer', 'https://capstan.example/'],
      ['--key', await file('key.jwk', bundle.jwk)],
      ['--key', await file('keys.json', jwks)],
      ['--key', await file('key.pem', pem)],
    ]) {
      const { exit, out } = await verify(good, ...pin);
      assert.equal(exit, 0, pin.join(' '));
      assert.match(out, /^valid: signed by a key of /);
    }
  });

  test('a receipt of a local key says so, and what it does not prove', async () => {
    const [key, signed] = locallySigned(bundle);
    const { exit, out } = await verify(await file('local.json', signed), '--key', await file('local.jwk', key));
    assert.equal(exit, 0, out);
    assert.match(out, /^signer {3}a local key of a user’s machine, not a service$/m);
    assert.match(out, /^not {6}that the run took place/m);
    const ofService = await verify(await file('good.json', bundle));
    assert.doesNotMatch(ofService.out, /local key/);
  });

  test('exit 1: a modified receipt, or one signed by another key', async () => {
    const changed = { ...bundle, log_entry: { ...bundle.log_entry, index: 0 } };
    assert.deepEqual(await verify(await file('changed.json', changed)), {
      exit: 1,
      out: 'refused: The proof does not lead from this receipt to the checkpoint’s root.\n',
    });
    const other = { ...bundle.jwk, x: `A${bundle.jwk.x.slice(1)}` };
    const { exit, out } = await verify(await file('good.json', bundle), '--key', await file('other.jwk', other));
    assert.equal(exit, 1);
    assert.match(out, /^refused: signed with key .+, which does not belong to /);
  });

  test('--json prints the same verdict as JSON', async () => {
    const good = await file('good.json', bundle);
    const report = JSON.parse((await verify(good, '--issuer', 'https://x.example', '--json')).out);
    assert.deepEqual([report.valid, report.issuer, report.log.index], [true, 'pinned', 1]);
    const unknown = JSON.parse((await verify(good, '--json')).out);
    assert.deepEqual([unknown.valid, unknown.consistent, unknown.issuer], [false, true, 'unknown']);
    assert.equal(JSON.parse((await verify(await file('empty.json', {}), '--json')).out).failed, 'form');
  });

  test('unreadable files and wrong usage are reported as errors', async () => {
    await assert.rejects(verify(join(dir, 'none.json')), { code: 'command.file_unavailable', reason: 'receipt_read' });
    await assert.rejects(verify(await file('bad.json', '{')), {
      code: 'command.file_unavailable',
      reason: 'receipt_read',
    });
    await assert.rejects(verify(await file('good.json', bundle), '--key', await file('bundle.json', bundle)), {
      code: 'command.file_unavailable',
    });
    assert.equal((await verify()).exit, 2);
    assert.equal((await verify('a', '--issuer', 'http://x', '--key', 'b')).exit, 2);
    await assert.rejects(verify('a', '--issuer', 'ftp://x'), {
      code: 'command.file_unavailable',
      reason: 'receipt_read',
    });
    await assert.rejects(verify(await file('good.json', bundle), '--issuer', 'ftp://x'), {
      code: 'command.invalid',
      reason: 'usage',
    });
  });
});

/** The statement of a bundle, marked and signed by a new key, as the only entry of that key's log. */
function locallySigned({ dsse }: Bundle): [ReceiptJwk, Bundle] {
  const { privateKey: private_key, publicKey: public_key } = generateKeyPairSync('ed25519');
  const jwk = jwkOf(public_key);
  const id = keyIdOf(jwk);
  const statement = JSON.parse(Buffer.from(dsse.payload, 'base64').toString());
  statement.predicate.signer = LOCAL_SIGNER;
  const payload = Buffer.from(canonicalize(statement) as string);
  const envelope = signEnvelope(PAYLOAD_TYPE, payload, private_key, id) as Bundle['dsse'];
  const root = leafHash(logEntry(envelope));
  const checkpoint = signCheckpoint({ origin: `capstan-local/${id}`, size: 1, root }, { private_key, public_key, id });
  return [jwk, { dsse: envelope, log_entry: { index: 0, size: 1, proof: [] }, checkpoint, jwk }];
}
