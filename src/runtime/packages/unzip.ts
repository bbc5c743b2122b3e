import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { Problem } from '#core/problem/problem.ts';
import { shown, tooLarge, tooManyFiles, unsafeFiles } from './errors.ts';

/** Reads a zip of unknown origin. Only plain files and directories below the target are ever written. */

interface UnzipLimits {
  what: string;
  /** Total size of all unpacked files. */
  max_bytes: number;
  max_files: number;
}

const MOST_PATH_CHARS = 1_024;
const MOST_DEPTH = 64;
const TYPE = 0o170000;
const DIRECTORY = 0o040000;
const FILE = 0o100000;

/**
 * Unpacks into an existing empty directory. Sizes are checked against the directory of the zip and again while the bytes
 * arrive, so a bomb ends at the cap.
 *
 * @throws Problem `packages.unsupported` (`unsafe_files`), `packages.unsupported` (`too_large`), `packages.unsupported` (`too_many_files`).
 */
export async function unzip(file: string, target: string, limits: UnzipLimits, signal?: AbortSignal): Promise<void> {
  await eachEntry(file, limits, async (zip, entry, path) => {
    signal?.throwIfAborted();
    if (entry.fileName.endsWith('/')) return void (await mkdir(join(target, path), { recursive: true }));
    await mkdir(dirname(join(target, path)), { recursive: true });
    await writeEntry(zip, entry, join(target, path), limits.what);
  });
}

/** Checks names, kinds, sizes and counts as `unzip` does and writes nothing: for wheels, which pip unpacks. */
export async function checkZip(file: string, limits: UnzipLimits): Promise<{ files: number; bytes: number }> {
  return eachEntry(file, limits, async () => {});
}

async function eachEntry(
  file: string,
  { what, max_bytes, max_files }: UnzipLimits,
  take: (zip: ZipFile, entry: Entry, path: string) => Promise<void>,
): Promise<{ files: number; bytes: number }> {
  // Loaded with the first archive.
  const { openPromise } = await import('yauzl');
  let zip: ZipFile | null = null;
  let bytes = 0;
  let files = 0;
  const kinds = new Map<string, 'file' | 'directory'>();
  try {
    zip = await openPromise(file, {
      lazyEntries: true,
      strictFileNames: true,
      validateEntrySizes: true,
      autoClose: false,
    });
    if (zip.entryCount > max_files) throw tooManyFiles(what, max_files);
    for await (const entry of zip.eachEntry()) {
      files += 1;
      if (files > max_files) throw tooManyFiles(what, max_files);
      const path = checkEntry(entry, what);
      notePath(kinds, path, entry.fileName.endsWith('/'), what);
      bytes += entry.uncompressedSize;
      if (bytes > max_bytes) throw tooLarge(what, max_bytes);
      await take(zip, entry, path);
    }
    return { files, bytes };
  } catch (error) {
    if (error instanceof Problem || (error as Error)?.name === 'AbortError') throw error;
    if (['ENOSPC', 'EIO', 'EROFS', 'EACCES'].includes((error as NodeJS.ErrnoException)?.code ?? '')) throw error;
    throw unsafeFiles(what, `the archive is damaged (${shown(String((error as Error)?.message), 120)})`);
  } finally {
    zip?.close();
  }
}

function checkEntry(entry: Entry, what: string): string {
  const name = entry.fileName;
  const quoted = JSON.stringify(shown(name, 100));
  const refuse = (why: string) => unsafeFiles(what, `the archive has ${quoted}, ${why}`);
  if (name.length > MOST_PATH_CHARS) throw refuse('a path that is too long');
  if (/[\p{Cc}\\]/u.test(name) || !name.isWellFormed()) throw refuse('a path with forbidden characters');
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) throw refuse('an absolute path');
  const segments = name.replace(/\/$/, '').split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    throw refuse('a path that leaves the package');
  if (segments.length > MOST_DEPTH) throw refuse('which is nested too deeply');
  if (segments.some((segment) => Buffer.byteLength(segment) > 255)) throw refuse('a name that is too long');
  const type = (entry.externalFileAttributes >>> 16) & TYPE;
  const directory = name.endsWith('/');
  if (type !== 0 && type !== (directory ? DIRECTORY : FILE)) throw refuse('which is a link or a device');
  if (!directory && (entry.isEncrypted() || !entry.canDecodeFileData())) throw refuse('which is encrypted');
  return segments.join('/');
}

/** Refuses a name that comes twice and a file that is also a directory. */
function notePath(kinds: Map<string, 'file' | 'directory'>, path: string, directory: boolean, what: string): void {
  const twice = () => unsafeFiles(what, `the archive has ${JSON.stringify(shown(path, 100))} twice`);
  const segments = path.split('/');
  for (let i = 1; i < segments.length; i++) {
    const parent = segments.slice(0, i).join('/');
    if (kinds.get(parent) === 'file') throw twice();
    kinds.set(parent, 'directory');
  }
  const known = kinds.get(path);
  if (known !== undefined && !(known === 'directory' && directory)) throw twice();
  kinds.set(path, directory ? 'directory' : 'file');
}

async function writeEntry(zip: ZipFile, entry: Entry, path: string, what: string): Promise<void> {
  const executable = ((entry.externalFileAttributes >>> 16) & 0o111) !== 0;
  let size = 0;
  let sum = 0;
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      size += chunk.length;
      if (size > entry.uncompressedSize) return done(unsafeFiles(what, 'the archive has more than it declares'));
      sum = crc32(chunk, sum);
      done(null, chunk);
    },
  });
  const out = createWriteStream(path, { flags: 'wx', mode: executable ? 0o755 : 0o644 });
  await pipeline(await zip.openReadStreamPromise(entry), counted, out);
  if (size !== entry.uncompressedSize || sum !== entry.crc32) throw unsafeFiles(what, 'the archive is damaged');
}
