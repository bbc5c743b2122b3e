import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { jwkOf, keyIdOf, type ReceiptJwk, type SigningPair } from '../../../src/runtime/receipts/receipt-key.ts';
import { Failure } from '../failure.ts';
import { localKeyFile } from '../profile.ts';
import type { World } from '../world.ts';

/** The key that signs receipts of runs on this machine. It is made with the first one, and readable by its user alone. */
export interface LocalKey extends SigningPair {
  /** For commitments that only this machine can check. */
  secret: Buffer;
}

/** Null where none was made yet. */
async function readLocalKey(world: World): Promise<LocalKey | null> {
  const file = localKeyFile(world);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const { mode } = await stat(file);
  if ((mode & 0o077) !== 0)
    throw new Failure('cli.local_key', `Other users can read ${file}.`, { fix: `Run: chmod 600 ${file}` });
  try {
    return pairOf(JSON.parse(text) as LocalJwk);
  } catch {
    throw new Failure('cli.local_key', `${file} is not an Ed25519 key.`, {
      fix: 'Restore it from a backup, or delete it to make another one. Receipts of the lost key stay verifiable with it alone.',
    });
  }
}

export async function openLocalKey(world: World): Promise<LocalKey> {
  const known = await readLocalKey(world);
  if (known !== null) return known;
  const file = localKeyFile(world);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const made = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  // Another call of the program may have been quicker; its key counts.
  await writeFile(file, `${JSON.stringify(made)}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return (await readLocalKey(world)) as LocalKey;
}

/** RFC 8037, with the private member. */
type LocalJwk = ReceiptJwk & { d: string };

function pairOf(jwk: LocalJwk): LocalKey {
  const private_key = createPrivateKey({ key: jwk, format: 'jwk' });
  if (private_key.asymmetricKeyType !== 'ed25519') throw new Error('another type of key');
  const public_key = createPublicKey(private_key);
  const secret = createHash('sha256').update(`receipt caller ${jwk.d}`).digest();
  return { private_key, public_key, id: keyIdOf(jwkOf(public_key)), secret };
}

/** The public key as a JWK. */
export async function publicKeyOf(world: World) {
  const { public_key } = await openLocalKey(world);
  return jwkOf(public_key);
}
