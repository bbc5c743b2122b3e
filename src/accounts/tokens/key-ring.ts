import type { JWK } from 'jose';
import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import type { SigningKeyRow } from '#core/db/schema-identity.ts';
import { importPublic, isDue, nextKey, openPrivate, PURPOSE } from './signing-key.ts';
import { addSigningKey, listSigningKeys } from './signing-keys.ts';

/** The token keys of this process, kept in sync with the database and thus with other processes. */

/** How long another process may continue to use a leaked key. */
const RELOAD_MS = 2_000;
/** An unknown key id may be a key of another process, or invented. */
const UNKNOWN_RELOAD_MS = 250;

export interface KeyRing {
  /** Returns the current signing key, creating it if needed. */
  signing(): Promise<{ id: string; key: CryptoKey }>;
  /** Returns the public key with this id; undefined if it is unknown or retired. */
  verifying(id: string): Promise<CryptoKey | undefined>;
  published(): Promise<JWK[]>;
  /** Creates the next key early, or immediately with `now`, for a leaked key. */
  rotate(when: 'ahead' | 'now'): Promise<SigningKeyRow>;
}

interface KeyRingDeps {
  db: Kysely<Schema>;
  keys: KeyProvider;
  clock: Clock;
  rotation_ms: number;
}

export function openKeyRing(deps: KeyRingDeps): KeyRing {
  const { keys, clock } = deps;
  const rows = openRows(deps);
  const publicKeys = new Map<string, Promise<CryptoKey>>();
  const privateKeys = new Map<string, Promise<CryptoKey>>();
  return {
    signing: async () => {
      const known = await rows.read(RELOAD_MS);
      // After the first key was created, which signs from then on.
      const now = isoTime(clock.now());
      // The first key may come from a process whose clock is ahead.
      const row = known.findLast(({ active_at }) => active_at <= now) ?? known[0];
      if (row === undefined) throw new Error('No signing key found.');
      return { id: row.id, key: await once(privateKeys, row.id, () => openPrivate(keys, row)) };
    },
    verifying: async (id) => {
      const has = (signingKey: SigningKeyRow) => signingKey.id === id;
      const row = (await rows.read(RELOAD_MS)).find(has) ?? (await rows.read(UNKNOWN_RELOAD_MS)).find(has);
      return row === undefined ? undefined : once(publicKeys, id, () => importPublic(row));
    },
    published: async () => (await rows.read(RELOAD_MS)).map(({ public_jwk }) => JSON.parse(public_jwk) as JWK),
    rotate: rows.rotate,
  };
}

interface Rows {
  /** Returns active keys, oldest first, at most `max_age_ms` old. */
  read(maxAgeMs: number): Promise<SigningKeyRow[]>;
  rotate: KeyRing['rotate'];
}

/** The first reader when the next key is due creates it. */
function openRows({ db, keys, clock, rotation_ms }: KeyRingDeps): Rows {
  let loaded: SigningKeyRow[] = [];
  let loadedAtMs = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  const addNext = async (when: 'ahead' | 'now'): Promise<SigningKeyRow | null> => {
    const { key, retire_at } = await nextKey(keys, loaded, clock.now(), when);
    const isAdded = await addSigningKey(db, key, retire_at);
    loaded = await listSigningKeys(db, PURPOSE);
    return isAdded ? key : null;
  };
  const load = async (): Promise<void> => {
    loaded = await listSigningKeys(db, PURPOSE);
    if (isDue(loaded, clock.now(), rotation_ms)) await addNext('ahead');
    loadedAtMs = clock.now();
  };
  return {
    read: async (maxAgeMs) => {
      if (clock.now() - loadedAtMs >= maxAgeMs) {
        loading ??= load().finally(() => {
          loading = undefined;
        });
        await loading;
      }
      const now = isoTime(clock.now());
      return loaded.filter(({ retired_at }) => retired_at === null || retired_at > now);
    },
    rotate: async (when) => {
      await load();
      for (;;) {
        const added = await addNext(when);
        if (added !== null) return added;
      }
    },
  };
}

/** Failures are not cached: the next call retries. */
function once(made: Map<string, Promise<CryptoKey>>, id: string, make: () => Promise<CryptoKey>): Promise<CryptoKey> {
  const known = made.get(id);
  if (known !== undefined) return known;
  const key = make();
  made.set(id, key);
  key.catch(() => made.delete(id));
  return key;
}
