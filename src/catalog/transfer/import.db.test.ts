import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { itemOf } from '#catalog/items/listing-row.ts';
import { liveRows } from '#catalog/items/read-items.ts';
import { testBlobs } from '#test/blobs.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { listing } from '#test/fakes/fault-server.ts';
import { outbound } from '#test/sync-stand.ts';
import { listingsFile } from '#test/test-data.ts';
import { exportCommand } from './export-command.ts';
import { importListings } from './import.ts';
import { importCommand } from './import-command.ts';

const dir = await mkdtemp(join(tmpdir(), 'capstan-import-'));
after(() => rm(dir, { recursive: true }));
const blobs = testBlobs();
const clock = { now: () => Date.parse('2026-03-01T00:00:00Z') };

/** A valid line with this id, with some fields replaced. */
function line(id: string, more: Record<string, unknown> = {}): string {
  const { license, repository, install, manifest, reported, aliases, ...item } = listing('docker', id);
  return JSON.stringify({ ...item, ...more });
}
async function* bytes(text: string | Buffer, size = 7): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(text as string);
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}
async function run(database: TestDatabase, argv: string[], stdin = bytes('')) {
  const written = { stdout: '', stderr: '' };
  const output = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) });
  const io = { stdin, stdout: output('stdout'), stderr: output('stderr') };
  const code = await importCommand(argv, io, { db: database.db, blobs, clock, fetch: outbound.fetch });
  return { code, ...written };
}

eachDatabase('capstan import', (open, engine) => {
  test('imports valid lines, and counts invalid ones with their reasons', async () => {
    const database = await open();
    const lines = [
      `\u{FEFF}${line('a/b')}\r`,
      '',
      'not json',
      '[]',
      line('c', { downloads: -1 }),
      line('d', { provider_id: 'elsewhere', source: 'elsewhere' }),
      line('e', { external_updated_at: 'yesterday' }),
      line('f', { install: 'npx' }),
      line('x'.repeat(2_000)),
      line('g', { execution_class: undefined }),
      '{"provider_id":"docker","external_id":"gone","removed_at":"2026-01-01T00:00:00.000Z","seq":1}',
      line('h', { unknown_field: 1, license: 'MIT', install: { a: 1 }, external_updated_at: '2026-01-01T00:00:00Z' }),
      `"${'x'.repeat(3_000_000)}"`,
      line('nul \0 and \ud800', {}).replace('\\ud800', '\\ud800'),
      line('last'),
    ];
    const result = await importListings(bytes(lines.join('\n'), 65_536), { db: database.db, blobs, clock });
    assert.deepEqual([result.good, result.bad, result.added], [3, 11, 3]);
    assert.deepEqual(
      result.bad_lines.map((badLine) => badLine.line),
      [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14],
    );
    assert.match(result.bad_lines[2]?.reason ?? '', /^downloads /);
    const rows = await liveRows(database.db, null, 10);
    assert.deepEqual(
      rows.map((row) => row.external_id),
      ['a/b', 'h', 'last'],
    );
    assert.deepEqual(
      [rows[1]?.license, rows[1]?.install, rows[1]?.external_updated_at],
      ['MIT', '{"a":1}', '2026-01-01T00:00:00.000Z'],
    );
    assert.equal(rows[1]?.reported, '{"downloads":false,"stars":false,"updated_at":true}');
  });

  test('updates changed lines only, and the last of two lines with one id wins', async () => {
    const database = await open();
    const load = (...lines: string[]) => importListings(bytes(lines.join('\n')), { db: database.db, blobs, clock });
    assert.deepEqual((({ added, updated }) => [added, updated])(await load(line('a'), line('b'))), [2, 0]);
    assert.deepEqual(
      (({ good, added, updated }) => [good, added, updated])(await load(line('a'), line('b'))),
      [2, 0, 0],
    );
    assert.deepEqual(
      (({ added, updated }) => [added, updated])(await load(line('a', { name: 'one' }), line('a', { name: 'two' }))),
      [0, 1],
    );
    assert.equal((await liveRows(database.db, null, 1))[0]?.name, 'two');
  });

  test('reads a file, gzip, a URL or standard input, and exits with 1 if nothing was imported', async () => {
    const database = await open();
    const text = `${line('file')}\nbad\n`;
    const plain = join(dir, 'listings.jsonl');
    const packed = join(dir, 'packed');
    await writeFile(plain, text);
    await writeFile(packed, Buffer.concat([gzipSync(`${line('one')}\n`), gzipSync(line('two'))]));
    const first = await run(database, [plain]);
    assert.deepEqual([first.code, first.stderr], [0, 'line 2: is not JSON\n']);
    const [counts, ...lacking] = first.stdout.trimEnd().split('\n');
    assert.equal(counts, '1 listings read: 1 added, 0 updated, 0 unchanged; 1 invalid lines');
    assert.match(lacking.join(' '), /^1 of them have no install data.* 1 of them have no title, icons/);
    assert.match((await run(database, [packed])).stdout, /^2 listings read/);
    assert.equal((await run(database, ['-'], bytes(gzipSync(line('stdin')), 1))).code, 0);
    assert.equal((await run(database, ['-'], bytes('bad\nworse\n'))).code, 1);
    assert.equal((await run(database, ['-'], bytes(''))).code, 1);
    for (const argv of [[], ['a', 'b'], ['--help']]) assert.equal((await run(database, argv)).code, 2);
    const server = createServer((_request, response) => response.end(gzipSync(line('web'))));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    assert.equal((await run(database, [`http://127.0.0.1:${port}/x.gz`])).code, 0);
    server.close();
    assert.equal((await liveRows(database.db, null, 10)).length, 5);
  });

  test('imports the lines before the point where a source is cut off', async () => {
    const database = await open();
    const file = join(dir, 'cut.gz');
    const whole = gzipSync(`${line('before/a')}\n${line('before/b')}\n${randomBytes(200_000).toString('hex')}`);
    await writeFile(file, whole.subarray(0, whole.length / 2));
    await assert.rejects(run(database, [file]), { code: 'command.file_unavailable', reason: 'import_read' });
    const ids = (await liveRows(database.db, null, 10)).map((row) => row.external_id);
    assert.deepEqual(ids, ['before/a', 'before/b']);
  });

  test('fails with command.file_unavailable if the source cannot be read', async () => {
    const database = await open();
    const code = { code: 'command.file_unavailable' };
    await assert.rejects(run(database, [join(dir, 'nowhere')]), code);
    await assert.rejects(run(database, [dir]), code);
    const whole = gzipSync(`${line('kept')}\n`.repeat(3_000));
    await assert.rejects(run(database, ['-'], bytes(whole.subarray(0, whole.length - 12), 64)), code);
    assert.equal((await liveRows(database.db, null, 10)).length, 1);
  });

  /** The item of a line without what a sync would clean away: repeated tags and space around texts. */
  function itemIn(json: string): object {
    const item = JSON.parse(json);
    return { ...item, name: item.name.trim(), description: item.description.trim(), tags: [...new Set(item.tags)] };
  }

  // The tests above cover both databases; one is enough for many listings.
  const skip = engine === 'postgres' && 'on SQLite alone';
  test('imports thousands of listings and exports them unchanged', { skip }, async () => {
    const database = await open();
    const file = listingsFile();
    const count = (await readFile(file, 'utf8')).trimEnd().split('\n').length;
    const { code, stdout } = await run(database, [file]);
    assert.equal(code, 0);
    assert.match(
      stdout,
      new RegExp(`^${count} listings read: ${count} added, 0 updated, 0 unchanged; 0 invalid lines`),
    );
    const out = join(dir, `${database.engine}.jsonl.gz`);
    await exportCommand([out], { stdout: process.stdout, stderr: process.stderr }, { db: database.db, blobs });
    const again = await run(database, [out]);
    assert.match(
      again.stdout,
      new RegExp(`^${count} listings read: 0 added, 0 updated, ${count} unchanged; 0 invalid`),
    );
    const sent = new Set(
      (await readFile(file, 'utf8'))
        .trimEnd()
        .split('\n')
        .map((json) => JSON.stringify(itemIn(json))),
    );
    let after: { provider_id: string; external_id: string } | null = null;
    for (
      let rows = await liveRows(database.db, after, 5_000);
      rows.length > 0;
      rows = await liveRows(database.db, after, 5_000)
    ) {
      for (const row of rows) assert.ok(sent.delete(JSON.stringify(itemOf(row))), row.external_id);
      after = rows.at(-1) ?? null;
    }
    assert.equal(sent.size, 0);
  });
});
