import { createPrivateKey, sign as signWith } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import type { Signer } from '../../sdk/src/index.ts';
import { Failure } from './failure.ts';
import type { World } from './world.ts';

/**
 * A wallet by the file of its key: 64 hex digits are an ethereum key; a JSON array of 64 numbers, or base58 of 64 bytes,
 * is a solana key as its own tools write it. Nothing of the key leaves this file.
 */
export async function walletOf(world: World, file: string): Promise<Signer> {
  const text = (await readFile(resolve(world.cwd, file), 'utf8').catch(() => refuse(file, 'cannot be read'))).trim();
  if (/^(0x)?[0-9a-fA-F]{64}$/.test(text)) return ethereumSigner(hexToBytes(text.replace(/^0x/, '').toLowerCase()));
  const key = solanaKey(text);
  return key === null ? refuse(file, 'contains no supported key') : solanaSigner(key);
}

function refuse(file: string, why: string): never {
  const fix = 'It must contain 64 hex digits (ethereum) or a solana-keygen file.';
  throw new Failure('cli.wallet', `The wallet key file ${file} ${why}.`, { fix, exit_code: 2 });
}

function solanaKey(text: string): Uint8Array | null {
  try {
    const bytes = text.startsWith('[') ? Uint8Array.from(JSON.parse(text) as number[]) : base58.decode(text);
    return bytes.length === 64 ? bytes : null;
  } catch {
    return null;
  }
}

/** The 20 bytes in hex, with the capitals of EIP-55. */
function ethereumAddress(key: Uint8Array): string {
  const hex = bytesToHex(keccak_256(secp256k1.getPublicKey(key, false).subarray(1)).subarray(12));
  const hash = bytesToHex(keccak_256(utf8ToBytes(hex)));
  return `0x${[...hex].map((byte, at) => (Number.parseInt(hash[at] as string, 16) >= 8 ? byte.toUpperCase() : byte)).join('')}`;
}

/** `personal_sign`, EIP-191. */
function ethereumSigner(key: Uint8Array): Signer {
  return {
    address: ethereumAddress(key),
    wallet_type: 'ethereum',
    sign(message) {
      const text = utf8ToBytes(message);
      const hash = keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${text.length}`), text));
      const [recovery = 0, ...rs] = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' });
      return `0x${bytesToHex(Uint8Array.from(rs))}${(recovery + 27).toString(16)}`;
    },
  };
}

/** The first 32 bytes are the seed, the others the public key. */
function solanaSigner(key: Uint8Array): Signer {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), key.subarray(0, 32)]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return {
    address: base58.encode(key.subarray(32)),
    wallet_type: 'solana',
    sign: (message) => base58.encode(signWith(null, Buffer.from(message), privateKey)),
  };
}
