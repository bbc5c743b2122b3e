import { createHash, type Hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { SealedColumn } from '#core/crypto/sealed-columns.ts';
import type { Row } from '#core/db/read-table.ts';
import { type Counting, startCensus } from './census.ts';
import { damaged, type Header, type Line, type Manifest } from './format.ts';
import { readLines } from './read-lines.ts';

export interface Checked {
  header: Header;
  manifest: Manifest;
  /** The first table with a NUL character, which PostgreSQL cannot store. */
  with_nul: string | null;
}

/** Reads the whole file and recomputes everything in its manifest. Throws `backup.invalid` (`damaged`) and related problems. */
export async function checkBackup(path: string, places: readonly SealedColumn[]): Promise<Checked> {
  const contents: Contents = { with_nul: null, table: '', hash: createHash('sha256'), census: startCensus(places) };
  for await (const lines of readLines(path)) for (const { text, value } of lines) take(contents, value, text);
  const { header, manifest, with_nul, hash, census } = contents;
  if (header === undefined || manifest === undefined) throw damaged('its end is missing');
  const { sha256, mac, ...said } = manifest;
  const found = census.end();
  for (const part of CENSUS)
    if (!isDeepStrictEqual(said[part], found[part])) throw damaged(`its ${part} do not match its manifest`);
  if (sha256 !== hash.digest('hex')) throw damaged('its digest does not match its manifest');
  return { header, manifest, with_nul };
}

/** What was read so far. */
interface Contents {
  header?: Header;
  manifest?: Manifest;
  with_nul: string | null;
  /** The table whose rows are being read. */
  table: string;
  /** Of everything but the manifest. */
  hash: Hash;
  census: Counting;
}

function take(contents: Contents, line: Header | Line, text: Uint8Array): void {
  if (contents.manifest !== undefined) throw damaged('it has data after its manifest');
  if ('manifest' in line) contents.manifest = line.manifest;
  else contents.hash.update(text);
  if ('capstan_backup' in line) contents.header ??= line;
  else count(contents.census, line, text);
  if ('table' in line) contents.table = line.table;
  if (contents.with_nul === null && Array.isArray(line) && holdsNul(line, text)) contents.with_nul = contents.table;
}

const CENSUS = ['tables', 'files', 'sealed_by', 'receipts_log', 'checkpoint'] as const;

function count(census: Counting, line: Line, text: Uint8Array): void {
  if (Array.isArray(line)) census.row(line, text);
  else if ('table' in line) census.table(line.table, line.columns);
  else if ('file' in line) census.file(line.file);
  else if ('bytes' in line) census.bytes(Buffer.from(line.bytes, 'base64'));
}

const ESCAPED_NUL = Buffer.from('\\u0000');

const holdsNul = (row: Row, text: Uint8Array): boolean =>
  Buffer.from(text.buffer, text.byteOffset, text.length).includes(ESCAPED_NUL) &&
  row.some((value) => typeof value === 'string' && value.includes('\0'));
