import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { seal, unseal } from '../../../platform/crypto/seal.ts';
import type { KeyProvider } from '../../../platform/crypto/secret-keys.ts';
import type { Schema } from '../../../platform/db/schema.ts';
import type { SigningKeyRow } from '../../../platform/db/schema-identity.ts';
import { newId } from '../../../platform/ids.ts';
import { addSigningKey, listSigningKeys } from './signing-keys.ts';

/** The keys of tokens in this process, kept in step with the database and so with every other process. */

export const ALGORITHM = 'ES256';
const PURPOSE = 'token';

/** A key is public this long before it signs; longer than anyone keeps the old list. */
const PUBLISH_AHEAD_MS = 3_600_000;
/** Tokens live 24 h; an hour more for clocks that differ. */
const RETIRE_AFTER_MS = 25 * 3_600_000;
const RELOAD_MS = 60_000;
/** An unknown key id may be a key of another process, or a stranger's invention. */
const UNKNOWN_RELOAD_MS = 5_000;

export interface SigningKey {
  id: string;
  key: CryptoKey;
}

export interface KeyRing {
  /** The one that signs now. Made at the first need. */
  signing(): Promise<SigningKey>;
  /** The public key of this id, undefined where it is none of ours or retired. */
  verifying(id: string): Promise<CryptoKey | undefined>;
  published(): Promise<JWK[]>;
  /**
   * Brings the next key forward. `ahead`: it signs when everyone has had time to read it. `now`: it signs at once, and
   * the others are gone, with every token of theirs.
   */
  rotate(when: 'ahead' | 'now'): Promise<SigningKeyRow>;
}

export interface KeyRingDeps {
  db: Kysely<Schema>;
  keys: KeyProvider;
  clock: Clock;
  rotation_ms: number;
}

export function openKeyRing({ db, keys, clock, rotation_ms }: KeyRingDeps): KeyRing {
  let loaded: SigningKeyRow[] = [];
  let loaded_at_ms = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;
  const publicKeys = new Map<string, Promise<CryptoKey>>();
  const privateKeys = new Map<string, Promise<CryptoKey>>();

  const load = async (): Promise<void> => {
    loaded = await listSigningKeys(db, PURPOSE);
    if (isDue(loaded, clock.now(), rotation_ms)) {
      await addNext(loaded);
      loaded = await listSigningKeys(db, PURPOSE);
    }
    loaded_at_ms = clock.now();
  };
  const addNext = async (rows: SigningKeyRow[], when: 'ahead' | 'now' = 'ahead'): Promise<SigningKeyRow | null> => {
    const newest = rows.at(-1);
    const published_at_ms = clock.now();
    const is_first = newest === undefined;
    const active_at_ms = published_at_ms + (is_first || when === 'now' ? 0 : PUBLISH_AHEAD_MS);
    const key = await makeKey(keys, { generation: (newest?.generation ?? 0) + 1, published_at_ms, active_at_ms });
    const retire_at = isoTime(active_at_ms + (when === 'now' ? 0 : RETIRE_AFTER_MS));
    return (await addSigningKey(db, key, retire_at)) ? key : null;
  };
  const reload = (): Promise<void> => {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  };
  const fresh = async (max_age_ms: number): Promise<SigningKeyRow[]> => {
    if (clock.now() - loaded_at_ms >= max_age_ms) await reload();
    const now = isoTime(clock.now());
    return loaded.filter(({ retired_at }) => retired_at === null || retired_at > now);
  };

  return {
    signing: async () => {
      const rows = await fresh(RELOAD_MS);
      // After the first key was made, which signs from then on.
      const now = isoTime(clock.now());
      // The very first one may come from a process whose clock is ahead.
      const row = rows.findLast(({ active_at }) => active_at <= now) ?? rows[0];
      if (row === undefined) throw new Error('There is no signing key.');
      return { id: row.id, key: await once(privateKeys, row.id, () => openPrivate(keys, row)) };
    },
    verifying: async (id) => {
      const has = (it: SigningKeyRow) => it.id === id;
      const row = (await fresh(RELOAD_MS)).find(has) ?? (await fresh(UNKNOWN_RELOAD_MS)).find(has);
      return row === undefined ? undefined : once(publicKeys, id, () => importPublic(row));
    },
    published: async () => (await fresh(RELOAD_MS)).map(({ public_jwk }) => JSON.parse(public_jwk) as JWK),
    rotate: async (when) => {
      for (;;) {
        const added = await addNext(await listSigningKeys(db, PURPOSE), when);
        await reload();
        if (added !== null) return added;
      }
    },
  };
}

/** Whether the next key has to be there: none is, or the newest one's time to be replaced comes near. */
const isDue = (rows: readonly SigningKeyRow[], now_ms: number, rotation_ms: number): boolean => {
  const newest = rows.at(-1);
  return newest === undefined || Date.parse(newest.active_at) + rotation_ms - PUBLISH_AHEAD_MS <= now_ms;
};

interface NewKey {
  generation: number;
  published_at_ms: number;
  active_at_ms: number;
}

async function makeKey(keys: KeyProvider, it: NewKey): Promise<SigningKeyRow> {
  const id = newId();
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const public_jwk = { ...(await exportJWK(publicKey)), kid: id, use: 'sig', alg: ALGORITHM };
  return {
    id,
    purpose: PURPOSE,
    generation: it.generation,
    public_jwk: JSON.stringify(public_jwk),
    sealed_private_key: seal(keys, JSON.stringify(await exportJWK(privateKey)), contextOf(id)),
    published_at: isoTime(it.published_at_ms),
    active_at: isoTime(it.active_at_ms),
    retired_at: null,
  };
}

const contextOf = (id: string): string => `signing_key|${id}`;

const importPublic = async ({ public_jwk }: SigningKeyRow): Promise<CryptoKey> =>
  (await importJWK(JSON.parse(public_jwk) as JWK, ALGORITHM)) as CryptoKey;

async function openPrivate(keys: KeyProvider, { id, sealed_private_key }: SigningKeyRow): Promise<CryptoKey> {
  const jwk = JSON.parse(unseal(keys, sealed_private_key, contextOf(id)).toString()) as JWK;
  return (await importJWK(jwk, ALGORITHM)) as CryptoKey;
}

/** A failure is not kept: the next one asks again. */
function once(made: Map<string, Promise<CryptoKey>>, id: string, make: () => Promise<CryptoKey>): Promise<CryptoKey> {
  const known = made.get(id);
  if (known !== undefined) return known;
  const key = make();
  made.set(id, key);
  key.catch(() => made.delete(id));
  return key;
}
