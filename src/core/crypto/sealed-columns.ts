import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { Problem } from '#core/problem/problem.ts';
import { unseal } from './seal.ts';
import type { KeyProvider } from './secret-keys.ts';

/** Columns with encrypted texts, and queries over them that do not need to know the content. */

export interface SealedColumn {
  table: keyof Schema;
  column: string;
  /** The columns of the primary key, in order. */
  key: readonly string[];
  /** What the context needs in addition to the key: columns or expressions over the row. */
  context_of: Record<string, string>;
  /** Returns the context that the text was encrypted with. */
  context(row: Record<string, string | number>): string;
  /** Text before the encrypted part, if the column has more than that. Rows that begin differently contain none. */
  before?: string;
}

export interface SealedRow {
  key: (string | number)[];
  /** The whole column, including text around the encrypted part. */
  stored: string;
  context: string;
}

type Db = Kysely<Schema>;

export const rowNameOf = (place: SealedColumn, { key }: SealedRow): string => `${nameOf(place)} ${key.join(' ')}`;

export const nameOf = ({ table, column }: SealedColumn): string => `${table}.${column}`;

/** `v1.`, an id of 12 characters and a dot: the only part that depends on the key. */
const HEAD_LENGTH = 16;

const head = ({ column, before = '' }: SealedColumn): RawBuilder<string> =>
  sql`substr(${sql.ref(column)}, ${sql.lit(before.length + 1)}, ${sql.lit(HEAD_LENGTH)})`;

const holdsOne = ({ column, before = '' }: SealedColumn): RawBuilder<boolean> =>
  before === ''
    ? sql`${sql.ref(column)} IS NOT NULL`
    : sql`substr(${sql.ref(column)}, 1, ${sql.lit(before.length)}) = ${sql.lit(before)}`;

/** Number of rows per key id. Rows in another format are counted under the empty id. */
export async function countByKey(db: Db, place: SealedColumn): Promise<Map<string, number>> {
  const { rows } = await sql<{ head: string; rows: number | string }>`
    SELECT ${head(place)} AS head, count(*) AS rows FROM ${sql.table(place.table)} WHERE ${holdsOne(place)} GROUP BY 1
  `.execute(db);
  const counts = new Map<string, number>();
  for (const row of rows) {
    const id = /^v1\.([0-9a-f]{12})\.$/.exec(row.head)?.[1] ?? '';
    counts.set(id, (counts.get(id) ?? 0) + Number(row.rows));
  }
  return counts;
}

/** The encrypted part after `before`. */
export const sealedTextOf = ({ before = '' }: SealedColumn, { stored }: SealedRow): string =>
  /^[\w.-]*/.exec(stored.slice(before.length))?.[0] as string;

/**
 * Returns rows after `after`, in key order, that this key has not encrypted. With an empty key id, returns all rows.
 */
export async function readNotSealedBy(
  db: Db,
  place: SealedColumn,
  key_id: string,
  after: SealedRow['key'] | null,
  limit: number,
): Promise<SealedRow[]> {
  const { table, column, key, context_of, context } = place;
  const keys = sql.join(key.map((name) => sql.ref(name)));
  const others = Object.entries(context_of).map(([name, of]) => sql`, (${sql.raw(of)}) AS ${sql.ref(name)}`);
  const { rows } = await sql<Record<string, string | number>>`
    SELECT ${keys}, ${sql.ref(column)} AS stored ${sql.join(others, sql``)}
    FROM ${sql.table(table)}
    WHERE ${holdsOne(place)} AND ${head(place)} <> ${`v1.${key_id}.`}
    ${after === null ? sql`` : sql`AND (${keys}) > (${sql.join(after)})`}
    ORDER BY ${keys} LIMIT ${sql.lit(limit)}
  `.execute(db);
  return rows.map((row) => ({
    key: key.map((name) => row[name] as string | number),
    stored: row.stored as string,
    context: context(row),
  }));
}

/** Returns false if the row was deleted or changed in the meantime. The newer text stays. */
export async function putInPlaceOf(
  db: Db,
  { table, column, key }: SealedColumn,
  row: SealedRow,
  stored: string,
): Promise<boolean> {
  const is = key.map((name, at) => sql`${sql.ref(name)} = ${row.key[at]}`);
  const { numAffectedRows } = await sql`
    UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${stored}
    WHERE ${sql.join(is, sql` AND `)} AND ${sql.ref(column)} = ${row.stored}
  `.execute(db);
  return numAffectedRows === 1n;
}

const BATCH = 50;

/** Decrypts every secret. Returns the locations of those that do not decrypt with the available keys. */
export async function damagedSecrets(db: Db, keys: KeyProvider, places: readonly SealedColumn[]): Promise<string[]> {
  const damaged: string[] = [];
  for (const place of places)
    for (let after: SealedRow['key'] | null = null; ; ) {
      const rows: SealedRow[] = await readNotSealedBy(db, place, '', after, BATCH);
      for (const row of rows)
        if (!opens(keys, sealedTextOf(place, row), row.context)) damaged.push(rowNameOf(place, row));
      if (rows.length < BATCH) break;
      after = rows.at(-1)?.key ?? null;
    }
  return damaged;
}

function opens(keys: KeyProvider, sealed: string, context: string): boolean {
  try {
    return unseal(keys, sealed, context) !== null;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
