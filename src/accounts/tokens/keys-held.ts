import type { Kysely } from 'kysely';
import { keyIdIn } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import { coreProblem } from '#core/errors.ts';
import { newestSigningKeys } from './signing-keys.ts';

/**
 * Throws `startup.unavailable` (`secret_key_other`) if the current signing keys were encrypted with an unavailable secret key.
 * Continuing would encrypt part of the data with one key and the rest with another.
 */
export async function refuseOtherKey(db: Kysely<Schema>, keys: KeyProvider): Promise<void> {
  for (const { sealed_private_key } of await newestSigningKeys(db)) {
    const id = keyIdIn(sealed_private_key);
    if (id === null || keys.key(id) !== undefined) continue;
    throw coreProblem(
      'startup.unavailable',
      `Wrong secret key: the database was encrypted with key ${id}, but the configured key is ` +
        `${keys.current_id}. Set the former key in CAPSTAN_SECRET_KEY, or restore DATA_DIR/secret.key if the ` +
        'setting is empty. Several keys may be given, separated by commas. If the former key is lost, run ' +
        'capstand tokens rotate --now --key-lost, then capstand receipts rotate --key-lost.',
      { reason: 'secret_key_other' },
    );
  }
}
