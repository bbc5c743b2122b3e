import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ReadEntry } from 'tar';
import { Problem } from '#core/problem/problem.ts';
import { ARCHIVE_LIMITS, type ArchiveEntry, guarded, refuse, tooLarge, type Wanted } from './archive.ts';

const META_BYTES = 64 * 1024;
const FILES = ['File', 'OldFile', 'ContiguousFile'];

/** The wanted files of a gzipped tar by path. Headers, long names and overrides are read as tar does, then checked. */
export async function readTar(packed: Uint8Array, wanted: Wanted): Promise<Map<string, Uint8Array>> {
  const taken = new Map<string, Uint8Array>();
  const look = guarded(wanted);
  let fault: Problem | null = null;
  // Loaded with the first archive, because most processes need none.
  const { Parser } = await import('tar');
  const parser = new Parser({
    maxMetaEntrySize: META_BYTES,
    onwarn: (_code, message) => {
      fault ??= refuse(`the archive is damaged (${String(message).slice(0, 100)})`);
    },
    onReadEntry: (entry) => {
      try {
        takeEntry(entry, look, taken);
      } catch (error) {
        fault ??= error as Problem;
        entry.resume();
      }
    },
  });
  parser.on('ignoredEntry', (entry: ReadEntry) => {
    if (entry.meta) fault ??= refuse(`the archive has a header over ${META_BYTES} bytes`);
  });
  // The parser would buffer everything after the end.
  let ended = false;
  parser.on('eof', () => {
    ended = true;
  });
  let expanded = 0;
  try {
    for await (const chunk of Readable.from([packed]).pipe(createGunzip()) as AsyncIterable<Buffer>) {
      // The parser would unpack nested compression.
      if (expanded === 0 && !isName(chunk)) throw refuse('it is not a gzipped tar archive');
      expanded += chunk.length;
      if (expanded > ARCHIVE_LIMITS.expanded_bytes) throw tooLarge();
      parser.write(chunk);
      if (fault !== null) throw fault;
      if (ended) break;
    }
    parser.end();
  } catch (error) {
    throw error instanceof Problem ? error : refuse('the archive is damaged');
  }
  if (fault !== null) throw fault;
  return taken;
}

function takeEntry(entry: ReadEntry, look: ReturnType<typeof guarded>, taken: Map<string, Uint8Array>): void {
  const kind: ArchiveEntry['kind'] = FILES.includes(entry.type)
    ? 'file'
    : entry.type === 'Directory'
      ? 'directory'
      : 'other';
  const path = look(entry.path, kind, entry.size);
  if (path === null) return void entry.resume();
  const chunks: Buffer[] = [];
  entry.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
  entry.on('end', () => taken.set(path, Buffer.concat(chunks)));
}

/** A tar begins with a name; a packed stream begins with a byte that no name has. */
const isName = (chunk: Buffer): boolean => (chunk[0] ?? 0) >= 0x20 && !(chunk[0] === 0x28 && chunk[1] === 0xb5);
