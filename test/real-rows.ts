import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { dataFile } from './test-data.ts';

/** Lines of files below CAPSTAN_TEST_DATA, parsed. */
export const rowsOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

interface RealRows {
  /** Below CAPSTAN_TEST_DATA: one JSON value a line. */
  file: string;
  adapt: (row: never) => { kind: string };
  /** Whether the adapter may leave out a record, as a deleted one. Otherwise each becomes a listing. */
  may_drop?: boolean;
}

/** No record that a provider really sent is rejected. The fixtures beside each adapter are tested without CAPSTAN_TEST_DATA. */
export function testRealRows(what: string, { file, adapt, may_drop = false }: RealRows): void {
  const path = dataFile(file);
  if (path === null) return;
  test(`every real ${what} is accepted`, (t) => {
    const rows = rowsOf(path);
    const adapted = rows.map((row) => adapt(row as never));
    assert.deepEqual(
      adapted.filter(({ kind }) => kind === 'rejected' || (kind !== 'listing' && !may_drop)),
      [],
    );
    t.diagnostic(`${file}: ${rows.length} adapt`);
  });
}
