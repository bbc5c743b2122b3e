import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** Archives made in tests, honest and hostile: names, sizes and kinds are written as they are given. */

export interface TarEntry {
  path: string;
  text?: string | Uint8Array;
  mode?: number;
  /** `0` file, `1` hard link, `2` symbolic link, `3` device, `5` directory. */
  type?: '0' | '1' | '2' | '3' | '5';
  target?: string;
}

/** A gzipped tar in the ustar format. */
export function tarOf(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, text = '', mode = 0o644, type = '0', target = '' }) => {
    const body = type === '0' ? Buffer.from(text as string) : Buffer.alloc(0);
    const header = Buffer.alloc(512);
    header.write(path, 0, 100);
    header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
    header.write(`${'0'.repeat(7)}\0${'0'.repeat(7)}\0`, 108);
    header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write(`${'0'.repeat(11)}\0`, 136);
    header.write(`        ${type}${target}`, 148, 108);
    header.write('ustar\u000000', 257);
    header.write(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    );
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

export interface ZipEntry {
  path: string;
  bytes?: string | Uint8Array;
  /** Unix mode with the file type; a plain file unless given. */
  mode?: number;
  /** What the archive declares instead of the real length. */
  declared?: number;
}

/** A zip with deflated entries. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { path, bytes = '', mode = 0o100644, declared } of entries) {
    const name = Buffer.from(path);
    const plain = Buffer.from(bytes as string);
    const packed = deflateRawSync(plain);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(0x00210000, 6);
    common.writeUInt32LE(crc32(plain), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(declared ?? plain.length, 18);
    common.writeUInt16LE(name.length, 22);
    locals.push(Buffer.from('PK\u0003\u0004', 'latin1'), common, name, packed);
    const head = Buffer.alloc(16);
    head.writeUInt32LE(((mode << 16) >>> 0) + (path.endsWith('/') ? 0x10 : 0), 6);
    head.writeUInt32LE(offset, 10);
    const madeBy = Buffer.from([20, 3]);
    central.push(Buffer.from('PK\u0001\u0002', 'latin1'), madeBy, common, head.subarray(0, 14), name);
    offset += 4 + common.length + name.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
