import { createReadStream, type ReadStream } from 'node:fs';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import type { ReadEntry } from 'tar';
import { Problem } from '#core/problem/problem.ts';
import { shown, unsafeFiles } from './errors.ts';
import type { Layer } from './oci-manifest.ts';

/** Reads the tar archive of a layer as a stream, without ever holding all of it. */

interface LayerRead {
  what: string;
  file: string;
  compression: Layer['compression'];
  signal: AbortSignal;
  take(entry: ReadEntry): Promise<void>;
  /** Called for each chunk of the unpacked layer; throws if it exceeds the limit. */
  add(size: number): void;
}

const META_BYTES = 1024 * 1024;
/** Faults of this machine, not of the layer. */
const DISK_FAULTS = ['ENOSPC', 'EIO', 'EROFS', 'EACCES'];

/** @throws Problem for a damaged layer; what `take` and `add` throw; the signal's reason. */
export async function readLayer({ what, file, compression, signal, take, add }: LayerRead): Promise<void> {
  const entries = takeInTurn(take);
  const parser = await openParser(what, entries);
  const source = createReadStream(file);
  const unpacked = unpackedFrom(source, compression);
  try {
    let isFirst = true;
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      add(chunk.length);
      // The parser would unpack nested compression.
      if (isFirst && isPacked(chunk)) throw unsafeFiles(what, 'a layer is compressed twice');
      isFirst = false;
      await parser.write(chunk);
      if (parser.hasEnded()) break;
    }
    await parser.end();
  } catch (error) {
    throw isFaultOfLayer(error, signal) ? damaged(what, (error as Error)?.message) : error;
  } finally {
    source.destroy();
    unpacked.destroy();
    await entries.stop();
  }
}

type Entries = ReturnType<typeof takeInTurn>;

/** Takes one entry after the other: a link must not be followed before the entry in front of it is written. */
function takeInTurn(take: (entry: ReadEntry) => Promise<void>) {
  let fault: unknown = null;
  let work: Promise<void> = Promise.resolve();
  let current: ReadEntry | null = null;
  const fail = (error: unknown) => {
    fault ??= error;
  };
  const takeNow = async (entry: ReadEntry): Promise<void> => {
    if (fault !== null) return void entry.resume();
    current = entry;
    await take(entry).catch((error) => {
      fail(error);
      entry.resume();
    });
    current = null;
  };
  return {
    push: (entry: ReadEntry): void => {
      // The reader of the entry gets the error as well. Without a listener it would be thrown if nothing reads the entry yet.
      entry.on('error', () => {});
      work = work.then(() => takeNow(entry));
    },
    fail,
    hasFailed: () => fault !== null,
    throwIfFailed: (): void => {
      if (fault !== null) throw fault;
    },
    /** Ends when every entry that came so far has been taken. */
    taken: () => work,
    stop: async (): Promise<void> => {
      // A truncated entry would be waited for forever.
      const stopped = new Error('the layer is not read further');
      fail(stopped);
      current?.destroy(stopped);
      await work;
    },
  };
}

async function openParser(what: string, entries: Entries) {
  const { Parser } = await import('tar');
  const parser = new Parser({
    maxMetaEntrySize: META_BYTES,
    onwarn: (_code, message) => entries.fail(damaged(what, String(message))),
    onReadEntry: entries.push,
  });
  parser.on('ignoredEntry', (entry: ReadEntry) => {
    if (entry.meta) entries.fail(unsafeFiles(what, `a layer has a header over ${META_BYTES} bytes`));
  });
  // The parser would gather everything behind the end of the archive.
  let hasEnded = false;
  parser.on('eof', () => {
    hasEnded = true;
  });
  return {
    hasEnded: () => hasEnded,
    write: async (chunk: Buffer): Promise<void> => {
      const isDrained = parser.write(chunk);
      if (!isDrained && !entries.hasFailed() && !hasEnded) await drained(parser, entries);
      entries.throwIfFailed();
    },
    end: async (): Promise<void> => {
      parser.end();
      await entries.taken();
      entries.throwIfFailed();
    },
  };
}

/** The parser drains when its entries are taken. Work that fails takes them too, so this always ends. */
async function drained(parser: { once(event: 'drain', then: () => void): unknown }, entries: Entries): Promise<void> {
  const drain = new Promise<void>((resolve) => parser.once('drain', resolve));
  await Promise.race([drain, untilIdle(entries)]);
}

async function untilIdle(entries: Entries): Promise<void> {
  for (let last = entries.taken(); ; last = entries.taken()) {
    await last;
    if (last === entries.taken()) return;
  }
}

function unpackedFrom(source: ReadStream, compression: Layer['compression']) {
  if (compression === 'none') return source;
  const unpacked = source.pipe(compression === 'gzip' ? createGunzip() : createZstdDecompress());
  source.on('error', (error) => unpacked.destroy(error));
  return unpacked;
}

function isPacked(chunk: Buffer): boolean {
  const isGzip = chunk[0] === 0x1f && chunk[1] === 0x8b;
  const isZstd = chunk[0] === 0x28 && chunk[1] === 0xb5 && chunk[2] === 0x2f;
  return isGzip || isZstd;
}

function isFaultOfLayer(error: unknown, signal: AbortSignal): boolean {
  if (error instanceof Problem || signal.aborted) return false;
  return !DISK_FAULTS.includes((error as NodeJS.ErrnoException)?.code ?? '');
}

function damaged(what: string, why: string): Problem {
  return unsafeFiles(what, `a layer is damaged (${shown(String(why), 120)})`);
}
