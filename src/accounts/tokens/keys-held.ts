import type { Kysely } from 'kysely';
import { keyIdIn } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import { Problem } from '#core/problem/problem.ts';
import { newestSigningKeys } from './signing-keys.ts';

/**
 * Throws `startup.secret_key_other` where the keys that sign now were sealed by a secret key that is not held: whoever went on
 * would seal one part of the data under one key and the rest under another.
 */
export async function refuseOtherKey(db: Kysely<Schema>, keys: KeyProvider): Promise<void> {
  for (const { sealed_private_key } of await newestSigningKeys(db)) {
    const id = keyIdIn(sealed_private_key);
    if (id === null || keys.key(id) !== undefined) continue;
    throw new Problem(
      'unavailable',
      'startup.secret_key_other',
      `What is secret in this database was sealed by the key ${id}, and the one that is given is ${keys.current_id}. Give that key: ` +
        'in CAPSTAN_SECRET_KEY, or as secret.key in DATA_DIR where none is set; with a comma between, more than one may be given. ' +
        'Where it is lost: capstand tokens rotate --now --key-lost, then capstand receipts rotate --key-lost.',
    );
  }
}
