import { stat } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { type Check, type Finding, fail, ok, warn } from '#core/doctor/check.ts';
import { Problem } from '#core/problem/problem.ts';
import { surveySealed, totalByKey } from './rotate.ts';
import { unseal } from './seal.ts';
import { nameOf, readNotSealedBy, type SealedColumn, sealedTextOf } from './sealed-columns.ts';
import { type KeyProvider, type KeySource, keptKeyPath, readSecretKeys } from './secret-keys.ts';

/** Checks that the secret keys are available and decrypt what is stored. */

interface SecretKeysCheckDeps extends KeySource {
  /** Null if there is no readable database. */
  db: Kysely<Schema> | null;
  places: readonly SealedColumn[];
}

/** Rows that are decrypted per column; all are counted. */
const OPENED = 20;

export const secretKeysCheck = (deps: SecretKeysCheckDeps): Check => ({
  name: 'secret key',
  run: async () => {
    const keys = await readSecretKeys(deps);
    if (keys === null)
      return [deps.may_make ? ok('No key yet. The first start generates one in DATA_DIR.') : missing(deps)];
    const from = deps.written === null ? keptKeyPath(deps.data_dir) : 'CAPSTAN_SECRET_KEY';
    const found = [ok(`${from} found; ${keys.current_id} is the current key.`)];
    if (deps.written === null) found.push(...(await modeOf(keptKeyPath(deps.data_dir))));
    return deps.db === null ? found : [...found, ...(await lookAtSealed(deps.db, keys, deps.places))];
  },
});

const missing = ({ why_needed = null }: KeySource): Finding =>
  fail(
    'CAPSTAN_SECRET_KEY is not set, and production does not generate ' +
      `one${why_needed === null ? '' : ` (production because of ${why_needed})`}.`,
    'Set CAPSTAN_SECRET_KEY=$(openssl rand -base64 32), or CAPSTAN_SECRET_KEY_FILE to the path of a file ' +
      'with a key',
  );

async function modeOf(path: string): Promise<Finding[]> {
  const { mode } = await stat(path);
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  return (mode & 0o077) === 0 ? [] : [fail(`${path} is readable by other users (${shown}).`, `chmod 600 ${path}`)];
}

async function lookAtSealed(
  db: Kysely<Schema>,
  keys: KeyProvider,
  places: readonly SealedColumn[],
): Promise<Finding[]> {
  const totals = totalByKey(await surveySealed(db, places));
  const unknown = [...totals].filter(([id]) => keys.key(id) === undefined);
  if (unknown.length > 0) {
    const named = unknown.map(([id, rows]) => `${id === '' ? 'no key' : id} (${rows})`).join(', ');
    const fix =
      'Add those keys to CAPSTAN_SECRET_KEY after the current one; capstand vault status shows where they ' +
      'are used';
    return [fail(`Stored secrets are encrypted with missing keys: ${named}.`, fix)];
  }
  const rows = [...totals.values()].reduce((sum, count) => sum + count, 0);
  const damaged = (await Promise.all(places.map((place) => unopened(db, keys, place)))).flat();
  if (damaged.length > 0)
    return [fail(`Failed to decrypt with their key: ${damaged.join(', ')}.`, 'Restore those rows from a backup')];
  const found = [ok(`${rows} stored secrets, all encrypted with available keys; samples of each kind were decrypted.`)];
  const older = rows - (totals.get(keys.current_id) ?? 0);
  return older === 0 ? found : [...found, warn(`${older} of them use older keys.`, 'capstand vault rotate')];
}

/** Locations of rows that do not decrypt, among the first few. */
async function unopened(db: Kysely<Schema>, keys: KeyProvider, place: SealedColumn): Promise<string[]> {
  const rows = await readNotSealedBy(db, place, '', null, OPENED);
  return rows.flatMap((row) => {
    try {
      unseal(keys, sealedTextOf(place, row), row.context);
      return [];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return [`${nameOf(place)} ${row.key.join(' ')}`];
    }
  });
}
