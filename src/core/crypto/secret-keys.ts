import { createHash, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '#core/problem/problem.ts';

/** The service's own secret keys, from which everything else is sealed. The seam for a key service. */
export interface KeyProvider {
  /** Id of the key that seals. Ids are 12 digits of hex, and stand in every sealed text. */
  current_id: string;
  /** The key of this id, or undefined where it is not held. */
  key(id: string): KeyObject | undefined;
}

export interface KeySource {
  /** CAPSTAN_SECRET_KEY: one key, or several with the sealing one first; null where not set. */
  written: string | null;
  /** Whether a missing key is made, kept in `data_dir` and read from there: not where a copy of the data must open nothing. */
  may_make: boolean;
  data_dir: string;
  /** The setting that forbids making one, such as HOST=0.0.0.0; said where it is missing. */
  why_needed?: string | null;
}

const KEY_BYTES = 32;
/** Random keys have 30 different bytes; one in far more than 2^64 has so few. */
const FEWEST_VALUES = 16;
const KEY_FILE = 'secret.key';

/** Where a key that was made is kept. */
export const keptKeyPath = (data_dir: string): string => join(data_dir, KEY_FILE);

/** Refuses to go on without a key: `startup.secret_key_missing`, `startup.secret_key_malformed`. */
export async function openSecretKeys(source: KeySource): Promise<KeyProvider> {
  const held = await readSecretKeys(source);
  if (held !== null) return held;
  if (!source.may_make) throw secretKeyMissing(`${needed(source)}Generate one with: openssl rand -base64 32`);
  const fresh = `${randomBytes(KEY_BYTES).toString('base64')}\n`;
  return parseSecretKeys(await keepKey(keptKeyPath(source.data_dir), fresh));
}

const needed = ({ why_needed = null }: KeySource): string =>
  why_needed === null
    ? ''
    : `Production rules apply because of ${why_needed}; in production, no key is generated automatically. `;

export const secretKeyMissing = (what_to_do: string): Problem =>
  new Problem('unavailable', 'startup.secret_key_missing', `CAPSTAN_SECRET_KEY is not set. ${what_to_do}`);

/** Those that there are; null where there is none, and none is made. Throws `startup.secret_key_malformed`. */
export async function readSecretKeys(source: KeySource): Promise<KeyProvider | null> {
  const text = await readKeyText(source);
  return text === null ? null : parseSecretKeys(text);
}

/** The same as they are written. */
export const readKeyText = async ({ written, may_make, data_dir }: KeySource): Promise<string | null> =>
  written ?? (may_make ? await readKept(keptKeyPath(data_dir)) : null);

/** Throws `startup.secret_key_malformed`. */
export const parseSecretKeys = (text: string): KeyProvider => keyProvider(text.split(',').map(readKey));

export function keyProvider(keys: readonly KeyObject[]): KeyProvider {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  return { current_id: byId.keys().next().value as string, key: (id) => byId.get(id) };
}

/** A key for one purpose, derived from the current secret key, or from another that is held. */
export function deriveKey(keys: KeyProvider, purpose: string, id = keys.current_id): KeyObject {
  const key = keys.key(id) as KeyObject;
  return createSecretKey(Buffer.from(hkdfSync('sha256', key.export(), '', `capstan ${purpose}`, KEY_BYTES)));
}

/** Says which key it is and nothing about it. */
const idOf = (key: KeyObject): string =>
  createHash('sha256').update('capstan secret key id').update(key.export()).digest('hex').slice(0, 12);

function readKey(text: string): KeyObject {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== KEY_BYTES || new Set(bytes).size < FEWEST_VALUES)
    throw new Problem(
      'unavailable',
      'startup.secret_key_malformed',
      `CAPSTAN_SECRET_KEY must be ${KEY_BYTES} random bytes in base64, or several such keys separated by ` +
        'commas. Generate one with: openssl rand -base64 32',
    );
  return createSecretKey(bytes);
}

const readKept = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Problem(
      'unavailable',
      'startup.secret_key_unreadable',
      `Cannot read ${path} (${error.code}). Run this command as the user of the service, who owns the file.`,
      { cause: error },
    );
  });

/**
 * Written whole before it gets its name, and named only once: two processes that start together end with one key.
 * Answers what stands there then.
 */
export async function keepKey(path: string, text: string): Promise<string> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return readFile(path, 'utf8');
}
