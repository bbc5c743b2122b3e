import { type Queried, quoted, type Table } from './tables.ts';

/** Reads a whole table in pages of limited size, as arrays in column order. Call it in a transaction. */

export type Row = (string | number | null)[];

const MOST_ROWS = 500;
/** The target size of a page, estimated from the previous one: some rows have a megabyte, most less than a kilobyte. */
const PAGE_CHARS = 1_000_000;

/** `by` names a column to sort by; rows without a value come last. */
export async function* readTable(db: Queried, { name, columns }: Table, by?: string): AsyncGenerator<Row[]> {
  const pages = (db.engine === 'postgres' ? postgresPages : sqlitePages)(db, name, columns, by);
  for (let limit = 1; ; ) {
    const { value: found, done } = await pages.next(limit);
    if (done === true) return;
    const rows = found.map((row) => columns.map((column) => row[column] as Row[number]));
    if (rows.length > 0) yield rows;
    limit = Math.min(MOST_ROWS, limit * 2, Math.max(1, Math.floor(PAGE_CHARS / (charsOf(rows) / rows.length))));
  }
}

function charsOf(rows: readonly Row[]): number {
  let chars = 1;
  for (const row of rows) for (const value of row) chars += typeof value === 'string' ? value.length : 8;
  return chars;
}

type Found = Record<string, string | number | null>;
type Pages = AsyncGenerator<Found[], undefined, number>;

async function* postgresPages(db: Queried, table: string, columns: readonly string[], by?: string): Pages {
  const ordered = by === undefined ? '' : `ORDER BY ${quoted(by)} NULLS LAST`;
  await db.query(
    `DECLARE whole_table NO SCROLL CURSOR FOR SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(table)} ${ordered}`,
  );
  let limit = 1;
  for (;;) {
    const rows: Found[] = await db.query<Found>(`FETCH FORWARD ${limit} FROM whole_table`);
    if (rows.length === 0) break;
    limit = yield rows;
  }
  await db.query('CLOSE whole_table');
  return undefined;
}

async function* sqlitePages(db: Queried, table: string, columns: readonly string[], by?: string): Pages {
  const legs =
    by === undefined
      ? [['rowid', '']]
      : [
          [quoted(by), ''],
          ['rowid', `AND ${quoted(by)} IS NULL`],
        ];
  let limit = 1;
  for (const [key, and] of legs)
    for (let after = -1; ; ) {
      const rows: Found[] = await db.query<Found>(
        `SELECT ${columns.map(quoted).join(', ')}, ${key} AS "page key" FROM ${quoted(table)}
         WHERE ${key} > ? ${and} ORDER BY ${key} LIMIT ${limit}`,
        [after],
      );
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last['page key'] as number;
      limit = yield rows;
    }
  return undefined;
}
