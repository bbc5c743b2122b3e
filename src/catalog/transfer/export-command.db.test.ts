import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { saveDetail } from '#catalog/details/details.ts';
import { saveContent, saveDocument } from '#catalog/details/documents.ts';
import { storedFile } from '#catalog/details/fetch-file.ts';
import { snapshotLines } from '#catalog/items/export-lines.ts';
import { IMPORTED, saveListings } from '#catalog/items/items.ts';
import { liveRows } from '#catalog/items/read-items.ts';
import { systemClock } from '#core/clock/clock.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { testBlobs } from '#test/blobs.ts';
import { eachDatabase } from '#test/databases.ts';
import { listing } from '#test/fakes/fault-server.ts';
import { exportCommand } from './export-command.ts';
import { importListings } from './import.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const dir = await mkdtemp(join(tmpdir(), 'capstan-export-'));
after(() => rm(dir, { recursive: true }));

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAD0lEQVR4nGMIwAEYhpYEAHIhPAGq2YaNAAAAAElFTkSuQmCC',
  'base64',
);

const rowOf = ([row]: readonly ListingRow[]): ListingRow => row ?? assert.fail();

const blobs = testBlobs();
eachDatabase('capstan export', (open) => {
  test('writes the same lines to standard output, a file and a gzip file', async () => {
    const { db, engine } = await open();
    const listings = ['a', 'b', 'c'].map((id) => listing('docker', id, { license: 'MIT' }));
    await saveListings(db, 'docker', listings, { run: IMPORTED, now: '2026-01-01T00:00:00.000Z', seq: async () => 1 });
    const stderr = { write: () => true };
    const stdout = new PassThrough();
    assert.equal(await exportCommand([], { stdout, stderr }, { db, blobs }), 0);
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
    assert.equal(await exportCommand([plain], { stdout, stderr }, { db, blobs }), 0);
    assert.equal(await readFile(plain, 'utf8'), lines);
    assert.equal(await exportCommand([`${plain}.gz`], { stdout, stderr }, { db, blobs }), 0);
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
    await importListings(Readable.from(snapshotLines({ db: from.db, blobs }), { objectMode: false }), {
      db: to.db,
      blobs,
      clock: systemClock,
    });
    const [was, is] = [await liveRows(from.db, null, 9), await liveRows(to.db, null, 9)];
    assert.deepEqual(
      is.map(({ digest }) => digest),
      was.map(({ digest }) => digest),
    );
    assert.deepEqual(JSON.parse(is[1]?.install ?? ''), install);
  });

  test('carries README, SKILL.md and files, which an import cleans', async () => {
    const [from, to] = [await open(), await open()];
    const save = { run: IMPORTED, now: NOW, seq: async () => 1 };
    await saveListings(from.db, 'clawhub', [listing('clawhub', 'ann/rope')], save);
    const key = { provider_id: 'clawhub', external_id: 'ann/rope' };
    const files = [{ path: 'run.py', size: 3, sha256: null, script: true }];
    await saveDetail(from.db, key, { files: JSON.stringify(files), file_count: 1, fetched_at: NOW }, NOW);
    const of = { url: 'https://ann.example/x', validators: '{"etag":"x"}', fetched_at: NOW };
    await saveDocument(from.db, blobs, key, { ...of, kind: 'readme', text: '# Rope' });
    await saveDocument(from.db, blobs, key, { ...of, kind: 'skill', text: 'Tie knots.' });
    const lines = (await Array.fromAsync(snapshotLines({ db: from.db, blobs }))).join('');
    const load = (text: string, fileBlobs = testBlobs()) =>
      importListings(Readable.from([Buffer.from(text)]), { db: to.db, blobs: fileBlobs, clock: systemClock });
    const stored = testBlobs();
    assert.deepEqual((await load(lines, stored)).lacking, { install: 1, facts: 1, documents: 0 });
    const exported = (await Array.fromAsync(snapshotLines({ db: to.db, blobs: stored }))).join('');
    assert.equal(exported, lines);
    const hostile = { ...JSON.parse(lines), external_id: 'mallory/rope', homepage: 'javascript:alert(1)' };
    const sneaky = [
      { ...files[0], script: false },
      { ...files[0], path: '../../etc/passwd' },
    ];
    const details = { fetched_at: NOW, files: sneaky, skill: { url: 'file:///etc/passwd', text: 'a\0b' } };
    assert.equal((await load(JSON.stringify({ ...hostile, details }), stored)).good, 1);
    const [, taken] = (await Array.fromAsync(snapshotLines({ db: to.db, blobs: stored }))).join('').trim().split('\n');
    const { homepage, details: clean } = JSON.parse(taken ?? '');
    assert.deepEqual([homepage, clean.files, clean.skill], ['', files, { url: '', text: 'a\ufffdb' }]);
    const long = { ...hostile, details: { ...details, skill: { url: '', text: 'x'.repeat(100_000) } } };
    assert.deepEqual((await load(JSON.stringify(long))).bad_lines, [{ line: 1, reason: 'details is invalid' }]);
  });

  test('carries stored files and icons, which an import checks', async () => {
    const [from, to] = [await open(), await open()];
    const save = { run: IMPORTED, now: NOW, seq: async () => 1 };
    const src = 'https://ann.example/icon.png';
    const rope = listing('clawhub', 'ann/rope', { facts: { icons: [{ src }] } });
    await saveListings(from.db, 'clawhub', [rope], save);
    const key = { provider_id: 'clawhub', external_id: 'ann/rope' };
    const script = 'print("knot")\n';
    const files = [
      { path: 'SKILL.md', size: 3, sha256: null, script: false },
      { path: 'run.py', size: script.length, sha256: sha256(script), script: true },
    ];
    await saveDetail(from.db, key, { files: JSON.stringify(files), file_count: 2, fetched_at: NOW }, NOW);
    const put = (kind: 'icon' | `file:${string}`, bytes: Uint8Array) =>
      saveContent(from.db, blobs, key, { kind, url: kind === 'icon' ? src : '', bytes, fetched_at: NOW });
    await put('icon', PICTURE);
    await put('file:run.py', Buffer.from(script));
    const lines = (await Array.fromAsync(snapshotLines({ db: from.db, blobs }))).join('');
    const { details } = JSON.parse(lines);
    assert.deepEqual(details.contents, [{ path: 'run.py', text: script }]);
    const stored = testBlobs();
    const load = (text: string) =>
      importListings(Readable.from([Buffer.from(text)]), { db: to.db, blobs: stored, clock: systemClock });
    assert.equal((await load(lines)).good, 1);
    const shown = async () => (await Array.fromAsync(snapshotLines({ db: to.db, blobs: stored }))).join('');
    assert.equal(await shown(), lines);
    assert.equal(
      Buffer.from(
        (await storedFile({ db: to.db, blobs: stored }, rowOf(await liveRows(to.db, null, 9)), 'run.py'))?.bytes ?? [],
      ).toString(),
      script,
    );
    // Neither what is no image, nor files that the list does not have, nor other files than those of the list.
    const hostile = {
      ...JSON.parse(lines),
      external_id: 'mallory/rope',
      details: {
        ...details,
        icon: { url: 'javascript:alert(1)', content_base64: Buffer.from('<svg onload="alert(1)">').toString('base64') },
        contents: [
          { path: 'run.py', text: 'rm -rf /' },
          { path: '../../etc/passwd', text: 'x' },
          { path: 'SKILL.md', text: 'a\0b' },
        ],
      },
    };
    assert.equal((await load(JSON.stringify(hostile))).good, 1);
    const taken = JSON.parse((await shown()).trim().split('\n')[1] ?? '').details;
    assert.deepEqual([taken.icon, taken.contents, taken.files.length], [undefined, undefined, 2]);
    const many = {
      ...hostile,
      details: { ...details, contents: Array.from({ length: 201 }, () => details.contents[0]) },
    };
    assert.equal((await load(JSON.stringify(many))).bad, 1);
  });

  test('leaves out files that would make a line too long for an import', async () => {
    const { db } = await open();
    await saveListings(db, 'clawhub', [listing('clawhub', 'ann/rope')], {
      run: IMPORTED,
      now: NOW,
      seq: async () => 1,
    });
    const key = { provider_id: 'clawhub', external_id: 'ann/rope' };
    const files = Array.from({ length: 20 }, (_, n) => ({ path: `${n}.txt`, size: null, sha256: null, script: false }));
    await saveDetail(db, key, { files: JSON.stringify(files), file_count: 20, fetched_at: NOW }, NOW);
    // Six characters of JSON for each byte.
    const bytes = Buffer.alloc(200_000, 1);
    for (const { path } of files)
      await saveContent(db, blobs, key, { kind: `file:${path}`, url: '', bytes, fetched_at: NOW });
    const line = (await Array.fromAsync(snapshotLines({ db, blobs }))).join('');
    assert.equal(JSON.parse(line).details.contents.length, 1);
    assert.ok(Buffer.byteLength(line) < 2_200_000, `${line.length}`);
  });

  test('reports an unwritable path, and exits with 2 for wrong usage', async () => {
    const { db } = await open();
    const io = { stdout: new PassThrough(), stderr: { write: () => true } };
    await assert.rejects(exportCommand([join(dir, 'no/such/place')], io, { db, blobs }), {
      code: 'command.file_unavailable',
    });
    assert.equal(await exportCommand(['a', 'b'], io, { db, blobs }), 2);
    assert.equal(await exportCommand(['--all'], io, { db, blobs }), 2);
  });
});
