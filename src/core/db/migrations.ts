import { readdir, readFile } from 'node:fs/promises';
import { sha256 } from '#core/crypto/sha256.ts';

/** The numbered files that create the schema, in order. */

const MIGRATIONS_DIR = new URL('../../../db/migrations/', import.meta.url);

export interface Migration {
  version: number;
  /** `0001-foundation` */
  name: string;
}

interface ReadMigration extends Migration {
  statements: string[];
  /** Covers the statements only, not comments or line endings. */
  digest: string;
}

export async function listMigrations(): Promise<Migration[]> {
  const files = (await readdir(MIGRATIONS_DIR)).filter((file) => file.endsWith('.sql')).sort();
  return files.map((file) => ({ version: Number.parseInt(file, 10), name: file.slice(0, -'.sql'.length) }));
}

export async function readMigration({ version, name }: Migration): Promise<ReadMigration> {
  const statements = splitStatements(await readFile(new URL(`${name}.sql`, MIGRATIONS_DIR), 'utf8'));
  const digest = sha256(statements.join(';\n'));
  return { version, name, statements, digest };
}

/** In migrations, a line that ends with `;` ends a statement, and nothing else does. */
export const splitStatements = (text: string): string[] =>
  text
    .replaceAll('\r\n', '\n')
    .replace(/^[^\S\n]*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter(Boolean);
