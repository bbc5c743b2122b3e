import type { Cost } from '#core/crypto/passwords.ts';
import type { Row } from '#core/db/read-table.ts';
import { Problem } from '#core/problem/problem.ts';

/**
 * A backup is one zstd frame of lines of JSON: a header; each table with its rows as arrays; files of DATA_DIR; and last
 * a manifest, which says what everything before it has to come to. Neither engine shows: docs/decisions/037-backup-format.md.
 */

export const FORMAT_VERSION = 1;

export interface Header {
  capstan_backup: number;
  /** The newest migration of the database that it was made of. */
  schema_version: number;
  program_version: string;
  engine: 'sqlite' | 'postgres';
  /** ISO time of the moment that it shows. */
  created_at: string;
  secret_key: KeptKey;
}

/** What became of the service's secret key. `id` is of the key that was sealing then, and that `mac` is made with. */
export type KeptKey = { id: string } & (
  | { kept: 'not' }
  | { kept: 'plain'; text: string }
  | { kept: 'sealed'; argon2id: Cost; salt: string; text: string }
);

export type Line =
  | { table: string; columns: string[] }
  | Row
  | { file: string }
  /** A piece of the file in base64. */
  | { bytes: string }
  | { manifest: Manifest };

/** What the content comes to. Equal on every engine for equal content. */
export interface Census {
  /** By name: rows, and the sum of the SHA-256 of their lines modulo 2^256, which no order of rows changes. */
  tables: Record<string, { rows: number; digest: string }>;
  /** By path below DATA_DIR. */
  files: Record<string, { bytes: number; sha256: string }>;
  /** Rows that each secret key has sealed, by its id; under the empty id those that are not in the form of sealed texts. */
  sealed_by: Record<string, number>;
  /** The Merkle log of receipts, computed from the receipts themselves. Null where their places have gaps. */
  receipts_log: Tree | null;
  /** The newest state of that log that was signed. */
  checkpoint: Tree | null;
}

export interface Tree {
  size: number;
  /** In base64. */
  root: string;
}

export interface Manifest extends Census {
  /** SHA-256 of all bytes before the manifest's line. */
  sha256: string;
  /** HMAC-SHA-256 over that digest and the census, by a key derived from the secret key. */
  mac: string;
}

export const lineOf = (line: Line | Header): string => `${JSON.stringify(line)}\n`;

export const damaged = (why: string, cause?: unknown): Problem =>
  new Problem('unprocessable', 'backup.damaged', `The backup is damaged: ${why}.`, { cause });
