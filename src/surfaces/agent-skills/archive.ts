import { gzipSync } from 'node:zlib';
import type { Skill } from '#runtime/skills/skill.ts';

/**
 * Packs a skill as tar.gz with SKILL.md at its root. The same files give the same bytes on every machine, so that the
 * digest in any instance's index matches. Nothing is compressed, because compressors differ by version.
 */
export function archiveOf({ contents }: Pick<Skill, 'contents'>): Uint8Array {
  const blocks = [...contents].flatMap(([path, bytes]) => [header(path, bytes.length), bytes, padding(bytes.length)]);
  const packed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 0 });
  // Operating system in the gzip header: unknown.
  packed[9] = 255;
  return packed;
}

const BLOCK = 512;

const padding = (size: number): Uint8Array => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

/** POSIX ustar: a regular file, readable by all, without owner, at time 0. */
function header(path: string, size: number): Uint8Array {
  const block = Buffer.alloc(BLOCK);
  const { prefix, name } = placed(path);
  block.write(name, 0);
  block.write(`0000644\0${'0000000\0'.repeat(2)}`, 100);
  block.write(`${octal(size, 11)}\0${octal(0, 11)}\0`, 124);
  block.write(' '.repeat(8), 148);
  block.write('0', 156);
  block.write('ustar\x0000', 257, 'latin1');
  block.write(prefix, 345);
  const sum = block.reduce((all, byte) => all + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148);
  return block;
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

/** A name has 100 bytes, and the path before it 155. */
function placed(path: string): { prefix: string; name: string } {
  if (path.length <= 100) return { prefix: '', name: path };
  const cut = path.indexOf('/', path.length - 101);
  if (cut === -1 || cut > 155) throw new Error(`${path} is too long for an archive`);
  return { prefix: path.slice(0, cut), name: path.slice(cut + 1) };
}
