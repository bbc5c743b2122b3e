import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import type { Kysely } from 'kysely';
import { signingKeyContext } from '#accounts/tokens/signing-key.ts';
import { addSigningKey, listSigningKeys } from '#accounts/tokens/signing-keys.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { seal, unseal } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import type { SigningKeyRow } from '#core/db/schema-identity.ts';
import { jwkOf, keyIdOf, keyOfJwk, type ReceiptJwk, type SigningPair } from './receipt-key.ts';

/** The keys of receipts: apart from those of tokens, and public for ever, so that an old receipt can be checked. */

export const PURPOSE = 'receipt';
/** How long a process may sign with a key after another process has put a newer one in its place. */
const RELOAD_MS = 2_000;

export interface ReceiptKeys {
  /** The one that signs. Made at the first need. */
  signing(): Promise<SigningPair>;
  /** Any key there ever was, by its id. */
  pair(id: string): Promise<SigningPair>;
  /** All there ever were, oldest first, another process's newest one among them. */
  published(): Promise<PublishedKey[]>;
  /** Puts a new key in place of the one that signs. Answers its id. */
  rotate(): Promise<string>;
}

export interface PublishedKey extends ReceiptJwk {
  kid: string;
  use: 'sig';
  alg: 'EdDSA';
  /** When it started to sign. */
  active_at: string;
}

interface ReceiptKeysDeps {
  db: Kysely<Schema>;
  keys: KeyProvider;
  clock: Clock;
}

export function openReceiptKeys({ db, keys, clock }: ReceiptKeysDeps): ReceiptKeys {
  let rows: SigningKeyRow[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  const pairs = new Map<string, SigningPair>();

  const load = async (): Promise<void> => {
    rows = await listSigningKeys(db, PURPOSE);
    readAtMs = clock.now();
  };
  /** The first process of a generation creates its key; the others read it. */
  const add = async (generation: number): Promise<void> => {
    await addSigningKey(db, makeKey(keys, generation, isoTime(clock.now())), null);
    await load();
  };
  const fresh = async (): Promise<SigningKeyRow[]> => {
    if (clock.now() - readAtMs >= RELOAD_MS) await load();
    if (rows.length === 0) await add(1);
    return rows;
  };
  const opened = (row: SigningKeyRow): SigningPair => {
    const known = pairs.get(row.id) ?? openPair(keys, row);
    pairs.set(row.id, known);
    return known;
  };

  return {
    signing: async () => opened((await fresh()).at(-1) as SigningKeyRow),
    pair: async (id) => {
      const has = (signingKey: SigningKeyRow) => signingKey.id === id;
      if (!(await fresh()).some(has)) await load();
      const row = rows.find(has);
      if (row === undefined) throw new Error(`The receipt key ${id} is not in the database.`);
      return opened(row);
    },
    published: async () => {
      await load();
      return (await fresh()).map(({ id, public_jwk, active_at }) => ({
        ...(JSON.parse(public_jwk) as ReceiptJwk),
        kid: id,
        use: 'sig',
        alg: 'EdDSA',
        active_at,
      }));
    },
    rotate: async () => {
      await load();
      await add((rows.at(-1)?.generation ?? 0) + 1);
      return (rows.at(-1) as SigningKeyRow).id;
    },
  };
}

function makeKey(keys: KeyProvider, generation: number, now: string): SigningKeyRow {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const jwk = jwkOf(publicKey);
  const id = keyIdOf(jwk);
  return {
    id,
    purpose: PURPOSE,
    generation,
    public_jwk: JSON.stringify(jwk),
    sealed_private_key: seal(keys, privateKey.export({ format: 'der', type: 'pkcs8' }), signingKeyContext(id)),
    published_at: now,
    active_at: now,
    retired_at: null,
  };
}

function openPair(keys: KeyProvider, { id, public_jwk, sealed_private_key }: SigningKeyRow): SigningPair {
  const key = unseal(keys, sealed_private_key, signingKeyContext(id));
  const public_key = keyOfJwk(JSON.parse(public_jwk) as ReceiptJwk);
  if (public_key === null) throw new Error(`The receipt key ${id} is malformed.`);
  return { private_key: createPrivateKey({ key, format: 'der', type: 'pkcs8' }), public_key, id };
}
