import { createHash, createHmac, type KeyObject } from 'node:crypto';
import type { SealedColumn } from '#core/crypto/sealed-columns.ts';
import { readTable } from '#core/db/read-table.ts';
import { listTables, type Queried } from '#core/db/tables.ts';
import { type Counting, ORDER_OF, startCensus } from './census.ts';
import { readKeptFiles } from './files.ts';
import { type Census, type Header, lineOf, type Manifest } from './format.ts';

interface WriteOptions {
  header: Header;
  /** A transaction, for a consistent snapshot. */
  db: Queried;
  data_dir: string;
  places: readonly SealedColumn[];
  mac_key: KeyObject;
}

/** Yields the lines of a backup in chunks. Holds one page of rows in memory. */
export async function* writeLines({ header, db, data_dir, places, mac_key }: WriteOptions): AsyncGenerator<string> {
  const whole = createHash('sha256');
  const census = startCensus(places);
  for await (const text of contentLines({ header, db, data_dir }, census)) {
    whole.update(text);
    yield text;
  }
  const found = census.end();
  const sha256 = whole.digest('hex');
  yield lineOf({ manifest: { ...found, sha256, mac: macOf(mac_key, found, sha256) } });
}

async function* contentLines(
  { header, db, data_dir }: Pick<WriteOptions, 'header' | 'db' | 'data_dir'>,
  census: Counting,
): AsyncGenerator<string> {
  yield lineOf(header);
  for (const table of await listTables(db)) {
    const { name, columns } = table;
    census.table(name, columns);
    yield lineOf({ table: name, columns: [...columns] });
    for await (const rows of readTable(db, table, ORDER_OF[name])) {
      let text = '';
      for (const row of rows) {
        const line = lineOf(row);
        census.row(row, line);
        text += line;
      }
      yield text;
    }
  }
  for await (const piece of readKeptFiles(data_dir))
    if (typeof piece === 'string') {
      census.file(piece);
      yield lineOf({ file: piece });
    } else {
      census.bytes(piece);
      yield lineOf({ bytes: piece.toString('base64') });
    }
}

const macOf = (key: KeyObject, { tables, files, sealed_by, receipts_log, checkpoint }: Census, sha256: string) =>
  createHmac('sha256', key)
    .update(JSON.stringify([sha256, tables, files, sealed_by, receipts_log, checkpoint]))
    .digest('hex');

export const macFits = (key: KeyObject, { mac, sha256, ...census }: Manifest): boolean =>
  macOf(key, census, sha256) === mac;
