import { appProblem } from '#app/errors.ts';
import {
  deriveKey,
  type KeyProvider,
  type KeySource,
  keptKeyPath,
  parseSecretKeys,
  readKeyText,
  secretKeyMissing,
} from '#core/crypto/secret-keys.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { Checked } from './check-backup.ts';
import { damaged } from './format.ts';
import { MAC_PURPOSE } from './make-backup.ts';
import { openKey } from './secret-key.ts';
import { macFits } from './write-lines.ts';

/** The key for reading the restored data. */
export interface FoundKey {
  keys: KeyProvider;
  /** The backup's key, to be written because this machine has none. */
  write: { path: string; text: string } | null;
}

interface FindKeyOptions {
  key_source: KeySource;
  passphrase: string | null;
  /** Target of the backup's key; null for DATA_DIR/secret.key, if a service would look for it there. */
  key_to: string | null;
}

/** Throws, before anything is changed, if the key is missing or wrong, or if it shows that the backup was modified. */
export async function findKey({ header, manifest }: Checked, options: FindKeyOptions): Promise<FoundKey> {
  const own = await readKeyText(options.key_source);
  const found =
    own === null ? await fromBackup(header.secret_key, options) : { keys: parseSecretKeys(own), write: null };
  const needed = [header.secret_key.id, ...Object.keys(manifest.sealed_by).filter((id) => id !== '')];
  const missing = [...new Set(needed)].filter((id) => found.keys.key(id) === undefined);
  if (missing.length > 0) throw notHeld(missing, manifest.sealed_by, own !== null && header.secret_key.kept !== 'not');
  if (!macFits(deriveKey(found.keys, MAC_PURPOSE, header.secret_key.id), manifest))
    throw damaged('its MAC does not match the secret key');
  return found;
}

async function fromBackup(
  kept: Checked['header']['secret_key'],
  { key_source, passphrase, key_to }: FindKeyOptions,
): Promise<FoundKey> {
  if (kept.kept === 'not')
    throw secretKeyMissing(
      `The backup does not contain its secret key. Set the key with id ${kept.id}. No changes were made.`,
    );
  const path = key_to ?? (key_source.may_make ? keptKeyPath(key_source.data_dir) : null);
  if (path === null)
    throw secretKeyMissing("Set --key-to to a file for the backup's key, or configure the key. No changes were made.");
  if (kept.kept === 'sealed' && passphrase === null)
    throw appProblem(
      'backup.invalid',
      'The secret key in this backup is encrypted with a passphrase. Use --passphrase-file FILE or ' +
        'CAPSTAN_BACKUP_PASSPHRASE.',
      { reason: 'passphrase_required' },
    );
  const text = kept.kept === 'plain' ? kept.text : await openKey(kept, passphrase as string);
  return { keys: parseSecretKeys(text), write: { path, text: `${text}\n` } };
}

function notHeld(missing: string[], sealedBy: Record<string, number>, inside: boolean): Problem {
  const named = missing.map((id) => `${id} (${sealedBy[id] ?? 0})`).join(', ');
  const hint = inside
    ? ' The backup contains its own key: unset CAPSTAN_SECRET_KEY, or move secret.key aside, to use it.'
    : '';
  return coreProblem(
    'crypto.key_required',
    `Secrets in this backup are encrypted with keys missing from CAPSTAN_SECRET_KEY: ${named}.${hint} No ` +
      'changes were made.',
  );
}
