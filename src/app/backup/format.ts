import { appProblem } from '#app/errors.ts';
import type { Cost } from '#core/crypto/passwords.ts';
import type { Row } from '#core/db/read-table.ts';
import type { Problem } from '#core/problem/problem.ts';

/**
 * A backup is one zstd frame of JSON lines: a header; each table with its rows as arrays; files of DATA_DIR; and a
 * manifest with the digests of everything before it. The format does not depend on the engine:
 * docs/decisions/037-backup-format.md.
 */

export const FORMAT_VERSION = 1;

export interface Header {
  capstan_backup: number;
  /** The newest migration of the source database. */
  schema_version: number;
  program_version: string;
  engine: 'sqlite' | 'postgres';
  /** ISO time of the snapshot. */
  created_at: string;
  secret_key: KeptKey;
}

/** How the secret key is stored. `id` is that of the current key, which also creates `mac`. */
export type KeptKey = { id: string } & (
  | { kept: 'not' }
  | { kept: 'plain'; text: string }
  | { kept: 'sealed'; argon2id: Cost; salt: string; text: string }
);

export type Line =
  | { table: string; columns: string[] }
  | Row
  | { file: string }
  /** A chunk of the file in base64. */
  | { bytes: string }
  | { manifest: Manifest };

/** A summary of the content, equal on every engine. */
export interface Census {
  /**
   * By table: number of rows, and the sum of the SHA-256 of their lines modulo 2^256, which does not depend on their
   * order.
   */
  tables: Record<string, { rows: number; digest: string }>;
  /** By path below DATA_DIR. */
  files: Record<string, { bytes: number; sha256: string }>;
  /** Number of rows by encryption key id; rows in another format have the empty id. */
  sealed_by: Record<string, number>;
  /** The Merkle log of receipts, computed from the receipts. Null if there are gaps. */
  receipts_log: Tree | null;
  /** The last signed state of that log. */
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
  /** HMAC-SHA-256 over that digest and the census, with a key derived from the secret key. */
  mac: string;
}

export const lineOf = (line: Line | Header): string => `${JSON.stringify(line)}\n`;

export const damaged = (why: string, cause?: unknown): Problem =>
  appProblem('backup.invalid', `The backup is damaged: ${why}.`, { reason: 'damaged', cause });
