import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

interface RealRows {
  /** Below `../shared/data`: one JSON value a line. */
  file: string;
  adapt: (row: never) => { kind: string };
}

/** Where samples of what a provider really has are at hand, each of them becomes a listing. */
export function testRealRows(what: string, { file, adapt }: RealRows): void {
  const url = new URL(`../../shared/data/${file}`, import.meta.url);
  test(`every real ${what} adapts`, { skip: existsSync(url) ? false : 'real samples are not here' }, (t) => {
    const rows = readFileSync(url, 'utf8').trim().split('\n');
    const adapted = rows.map((line) => adapt(JSON.parse(line) as never));
    assert.deepEqual(
      adapted.filter((it) => it.kind !== 'listing'),
      [],
    );
    t.diagnostic(`${file}: ${rows.length} adapt`);
  });
}
