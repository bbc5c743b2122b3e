import { createHash } from 'node:crypto';
import type { SealedColumn } from '#core/crypto/sealed-columns.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Row } from '#core/db/read-table.ts';
import { treeBuilder } from '#runtime/receipts/merkle.ts';
import type { Census, Tree } from './format.ts';

/** Counts rows and files as they are read from a database, written, or read back. */
export interface Counting {
  table(name: string, columns: readonly string[]): void;
  /** `line` is the row as written in a backup. */
  row(row: Row, line: string | Uint8Array): void;
  file(path: string): void;
  bytes(piece: Uint8Array): void;
  end(): Census;
}

/** Rows of this table are read in the order of this column, so that the log's root can be computed on the way. */
export const ORDER_OF: Record<string, string> = { receipts: 'leaf_index' };

const WHOLE = 2n ** 256n;

export function startCensus(places: readonly SealedColumn[]): Counting {
  const census = { tables: {}, files: {}, sealed_by: {} } as Pick<Census, 'tables' | 'files' | 'sealed_by'>;
  const log = receiptsLog();
  const signed = newestCheckpoint();
  let observe: readonly ((row: Row) => void)[] = [];
  let table = { rows: 0, sum: 0n };
  let file = { bytes: 0, hash: createHash('sha256') };
  let close = (): void => {};
  return {
    table: (name, columns) => {
      close();
      table = { rows: 0, sum: 0n };
      observe = [
        ...places.filter((place) => place.table === name).map((place) => sealedIn(place, columns, census.sealed_by)),
        ...(name === 'receipts' ? [log.of(columns)] : []),
        ...(name === 'log_checkpoints' ? [signed.of(columns)] : []),
      ];
      close = () => {
        census.tables[name] = { rows: table.rows, digest: table.sum.toString(16).padStart(64, '0') };
      };
    },
    row: (row, line) => {
      table.rows++;
      table.sum = (table.sum + BigInt(`0x${sha256(line)}`)) % WHOLE;
      for (const observer of observe) observer(row);
    },
    file: (path) => {
      close();
      file = { bytes: 0, hash: createHash('sha256') };
      close = () => {
        census.files[path] = { bytes: file.bytes, sha256: file.hash.digest('hex') };
      };
    },
    bytes: (piece) => {
      file.bytes += piece.length;
      file.hash.update(piece);
    },
    end: () => {
      close();
      close = () => {};
      return { ...census, receipts_log: log.end(), checkpoint: signed.end() };
    },
  };
}

function sealedIn({ column, before = '' }: SealedColumn, columns: readonly string[], counts: Record<string, number>) {
  const at = columns.indexOf(column);
  return (row: Row): void => {
    const text = row[at];
    if (typeof text !== 'string' || !text.startsWith(before)) return;
    const id = /^v1\.([0-9a-f]{12})\./.exec(text.slice(before.length, before.length + 16))?.[1] ?? '';
    counts[id] = (counts[id] ?? 0) + 1;
  };
}

function receiptsLog() {
  const tree = treeBuilder();
  let gap = false;
  return {
    of: (columns: readonly string[]) => {
      const [place, envelope] = [columns.indexOf('leaf_index'), columns.indexOf('envelope')];
      return (row: Row): void => {
        if (row[place] === null) return;
        if (row[place] === tree.size()) tree.add(Buffer.from(`${row[envelope]}`));
        else gap = true;
      };
    },
    end: () => (gap ? null : { size: tree.size(), root: tree.root().toString('base64') }),
  };
}

function newestCheckpoint() {
  let newest: Tree | null = null;
  return {
    of: (columns: readonly string[]) => {
      const [size, root] = [columns.indexOf('size'), columns.indexOf('root')];
      return (row: Row): void => {
        if (newest === null || Number(row[size]) > newest.size)
          newest = { size: Number(row[size]), root: `${row[root]}` };
      };
    },
    end: () => newest,
  };
}

/** Returns whether the receipts match the last signed state of the log. */
export const logFits = ({ receipts_log, checkpoint }: Pick<Census, 'receipts_log' | 'checkpoint'>): boolean =>
  receipts_log !== null &&
  receipts_log.size === (checkpoint?.size ?? 0) &&
  receipts_log.root === (checkpoint?.root ?? receipts_log.root);
