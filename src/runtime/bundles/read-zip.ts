import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { Problem } from '#core/problem/problem.ts';
import { ARCHIVE_LIMITS, type ArchiveEntry, guarded, refuse, type Wanted } from './archive.ts';

/** The wanted files of a zip by path. Fails if a size differs from the directory. */
export async function readZip(packed: Uint8Array, wanted: Wanted): Promise<Map<string, Uint8Array>> {
  const taken = new Map<string, Uint8Array>();
  const look = guarded(wanted);
  // Loaded with the first archive, because most processes need none.
  const { fromBufferPromise } = await import('yauzl');
  try {
    const zip = await fromBufferPromise(Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength), {
      lazyEntries: true,
      strictFileNames: true,
      validateEntrySizes: true,
    });
    if (zip.entryCount > ARCHIVE_LIMITS.entries)
      throw refuse(`the archive has more than ${ARCHIVE_LIMITS.entries} entries`);
    for await (const entry of zip.eachEntry()) {
      const path = look(entry.fileName, kindOf(entry), entry.uncompressedSize);
      if (path !== null) taken.set(path, await bytesOf(zip, entry));
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw refuse(`the archive is damaged (${String((error as Error)?.message).slice(0, 100)})`);
  }
  return taken;
}

const TYPE = 0o170000;
const DIRECTORY = 0o040000;
const FILE = 0o100000;

/** Archives from other systems bring no mode: 0 is a plain file there. */
function kindOf({ fileName, externalFileAttributes }: Entry): ArchiveEntry['kind'] {
  const type = (externalFileAttributes >>> 16) & TYPE;
  if (type === DIRECTORY || (type === 0 && fileName.endsWith('/'))) return 'directory';
  return (type === FILE || type === 0) && !fileName.endsWith('/') ? 'file' : 'other';
}

async function bytesOf(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  if (entry.isEncrypted() || !entry.canDecodeFileData()) throw refuse('the archive is encrypted or packed unusually');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > entry.uncompressedSize) throw refuse('the archive has more data than it declares');
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (size !== entry.uncompressedSize || crc32(bytes) !== entry.crc32) throw refuse('the archive is damaged');
  return bytes;
}
