import { createHash, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';

/**
 * The service's secret keys, which encrypt everything else. A key management service could implement this interface.
 */
export interface KeyProvider {
  /** Id of the key that encrypts. Ids have 12 hex digits and are part of every encrypted text. */
  current_id: string;
  /** Returns the key with this id, or undefined if it is not available. */
  key(id: string): KeyObject | undefined;
}

export interface KeySource {
  /** CAPSTAN_SECRET_KEY: one key, or several with the encrypting one first; null if not set. */
  written: string | null;
  /**
   * Whether a missing key is generated and stored in `data_dir`. Not in production, where a copy of the data must not
   * contain the key.
   */
  may_make: boolean;
  data_dir: string;
  /** The setting that forbids generating one, such as HOST=0.0.0.0; shown in the error. */
  why_needed?: string | null;
}

const KEY_BYTES = 32;
/** Random keys have about 30 different bytes; far fewer than one in 2^64 has so few. */
const FEWEST_VALUES = 16;
const KEY_FILE = 'secret.key';

/** Path of a generated key. */
export const keptKeyPath = (data_dir: string): string => join(data_dir, KEY_FILE);

/** Throws `startup.unavailable` (`secret_key_missing`) or `startup.unavailable` (`secret_key_malformed`) without a usable key. */
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
  coreProblem('startup.unavailable', `CAPSTAN_SECRET_KEY is not set. ${what_to_do}`, { reason: 'secret_key_missing' });

/**
 * Returns the available keys, or null if there are none, without generating one. Throws `startup.unavailable` (`secret_key_malformed`).
 */
export async function readSecretKeys(source: KeySource): Promise<KeyProvider | null> {
  const text = await readKeyText(source);
  return text === null ? null : parseSecretKeys(text);
}

/** Returns the same keys as text. */
export const readKeyText = async ({ written, may_make, data_dir }: KeySource): Promise<string | null> =>
  written ?? (may_make ? await readKept(keptKeyPath(data_dir)) : null);

/** Throws `startup.unavailable` (`secret_key_malformed`). */
export const parseSecretKeys = (text: string): KeyProvider => keyProvider(text.split(',').map(readKey));

export function keyProvider(keys: readonly KeyObject[]): KeyProvider {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  return { current_id: byId.keys().next().value as string, key: (id) => byId.get(id) };
}

/** Derives a key for one purpose from the current secret key or another available one. */
export function deriveKey(keys: KeyProvider, purpose: string, id = keys.current_id): KeyObject {
  const key = keys.key(id) as KeyObject;
  return createSecretKey(Buffer.from(hkdfSync('sha256', key.export(), '', `capstan ${purpose}`, KEY_BYTES)));
}

/** Identifies the key without revealing anything about it. */
const idOf = (key: KeyObject): string =>
  createHash('sha256').update('capstan secret key id').update(key.export()).digest('hex').slice(0, 12);

function readKey(text: string): KeyObject {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== KEY_BYTES || new Set(bytes).size < FEWEST_VALUES)
    throw coreProblem(
      'startup.unavailable',
      `CAPSTAN_SECRET_KEY must be ${KEY_BYTES} random bytes in base64, or several such keys separated by ` +
        'commas. Generate one with: openssl rand -base64 32',
      { reason: 'secret_key_malformed' },
    );
  return createSecretKey(bytes);
}

const readKept = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw coreProblem(
      'startup.unavailable',
      `Cannot read ${path} (${error.code}). Run this command as the user of the service, who owns the file.`,
      { reason: 'secret_key_unreadable', cause: error },
    );
  });

/**
 * Writes the key to a temporary file and links it under its final name only if that does not exist, so two processes
 * that start together end up with one key. Returns the key in the file.
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
