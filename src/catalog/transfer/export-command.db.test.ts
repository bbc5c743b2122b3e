import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { snapshotLines } from '#catalog/items/export-lines.ts';
import { IMPORTED, saveListings } from '#catalog/items/items.ts';
import { liveRows } from '#catalog/items/read-items.ts';
import { systemClock } from '#core/clock/clock.ts';
import { eachDatabase } from '#test/databases.ts';
import { listing } from '#test/fakes/fault-server.ts';
import { exportCommand } from './export-command.ts';
import { importListings } from './import.ts';

const dir = await mkdtemp(join(tmpdir(), 'capstan-export-'));
after(() => rm(dir, { recursive: true }));

eachDatabase('capstan export', (open) => {
  test('writes the same lines to standard output, a file and a gzip file', async () => {
    const { db, engine } = await open();
    const listings = ['a', 'b', 'c'].map((id) => listing('docker', id, { license: 'MIT' }));
    await saveListings(db, 'docker', listings, { run: IMPORTED, now: '2026-01-01T00:00:00.000Z', seq: async () => 1 });
    const stderr = { write: () => true };
    const stdout = new PassThrough();
    assert.equal(await exportCommand([], { stdout, stderr }, { db }), 0);
    stdout.end();
    const lines = await text(stdout);
    assert.deepEqual(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).external_id),
      ['a', 'b', 'c'],
    );
    const plain = join(dir, `${engine}.jsonl`);
    assert.equal(await exportCommand([plain], { stdout, stderr }, { db }), 0);
    assert.equal(await readFile(plain, 'utf8'), lines);
    assert.equal(await exportCommand([`${plain}.gz`], { stdout, stderr }, { db }), 0);
    assert.equal(gunzipSync(await readFile(`${plain}.gz`)).toString(), lines);
    assert.ok(!(await readdir(dir)).some((file) => file.endsWith('.part')));
  });

  test('gives a file whose import restores all fields, install information and the original record', async () => {
    const [from, to] = [await open(), await open()];
    const reported = { downloads: true, stars: false, updated_at: false };
    const install = { packages: [{ registry_type: 'npm', identifier: '@a/b' }], remotes: [] };
    const rich = listing('docker', 'rich', { install, manifest: { record: { a: [1, null] } }, reported });
    const save = { run: IMPORTED, now: '2026-01-01T00:00:00.000Z', seq: async () => 1 };
    await saveListings(from.db, 'docker', [rich, listing('docker', 'bare')], save);
    await importListings(Readable.from(snapshotLines(from.db), { objectMode: false }), {
      db: to.db,
      clock: systemClock,
    });
    const [was, is] = [await liveRows(from.db, null, 9), await liveRows(to.db, null, 9)];
    assert.deepEqual(
      is.map(({ digest }) => digest),
      was.map(({ digest }) => digest),
    );
    assert.deepEqual(JSON.parse(is[1]?.install ?? ''), install);
  });

  test('reports an unwritable path, and exits with 2 for wrong usage', async () => {
    const { db } = await open();
    const io = { stdout: new PassThrough(), stderr: { write: () => true } };
    await assert.rejects(exportCommand([join(dir, 'no/such/place')], io, { db }), {
      code: 'command.file_unavailable',
    });
    assert.equal(await exportCommand(['a', 'b'], io, { db }), 2);
    assert.equal(await exportCommand(['--all'], io, { db }), 2);
  });
});
