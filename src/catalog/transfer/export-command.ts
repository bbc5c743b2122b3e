import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type ExportDeps, snapshotLines } from '#catalog/items/export-lines.ts';
import { coreProblem } from '#core/errors.ts';

/** `capstand export [FILE|-]`: writes the lines that `import` reads, gzipped if the file name ends in `.gz`. */
export async function exportCommand(
  argv: readonly string[],
  io: { stdout: NodeJS.WritableStream; stderr: { write(text: string): unknown } },
  deps: ExportDeps,
): Promise<number> {
  const [name = '-', ...more] = argv;
  if (more.length > 0 || (name.startsWith('-') && name !== '-')) {
    io.stderr.write('usage: capstand export [FILE|-]\n');
    return 2;
  }
  if (name === '-') await pipeline(lines(deps), io.stdout, { end: false });
  else await writeFile(deps, name);
  return 0;
}

const FIXES: Record<string, string> = {
  ENOENT: 'Create its directory first',
  EISDIR: 'It is a directory; name a file',
  ENOSPC: 'The disk is full',
};

const lines = (deps: ExportDeps): Readable => Readable.from(snapshotLines(deps), { objectMode: false });

/** Writes to a temporary file first, so that a file with this name is always complete. */
async function writeFile(deps: ExportDeps, name: string): Promise<void> {
  const part = `${name}.part`;
  try {
    const packed = name.endsWith('.gz') ? [createGzip()] : [];
    await pipeline([lines(deps), ...packed, createWriteStream(part)]);
    await rename(part, name);
  } catch (cause) {
    await rm(part, { force: true });
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    if (!/^E[A-Z]+$/.test(code)) throw cause;
    throw coreProblem(
      'command.file_unavailable',
      `Cannot write ${name} (${code}). ${FIXES[code] ?? 'Choose another file'}.`,
      { reason: 'export_write', cause },
    );
  }
}
