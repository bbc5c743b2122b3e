import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** Archives as nobody should make them, byte by byte; and good ones. */

export interface TarEntry {
  name: string;
  body?: string | Uint8Array;
  /** The type's letter: 0 file, 1 hard link, 2 symbolic link, 3 device, 5 directory, x override, L long name. */
  type?: string;
  link?: string;
  /** In place of the body's true size. */
  size?: number;
}

/** A tar, gzipped. */
export const tarOf = (entries: TarEntry[]): Uint8Array => gzipSync(plainTar(entries), { level: 1 });

export function plainTar(entries: TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ name, body = '', type = '0', link = '', size }) => {
    const bytes = Buffer.from(body);
    const header = Buffer.alloc(512);
    header.write(name, 0, 100);
    header.write('0000644\0', 100);
    header.write(`${(size ?? bytes.length).toString(8).padStart(11, '0')}\0`, 124);
    header.write('00000000000\0', 136);
    header.write('        ', 148);
    header.write(type, 156);
    header.write(link, 157, 100);
    header.write('ustar\x0000', 257);
    let sum = 0;
    for (const byte of header) sum += byte;
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc(-bytes.length & 511)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}

/** A pax header that overrides what the next one says. */
export const paxEntry = (records: Record<string, string>): TarEntry => ({
  name: 'pax',
  type: 'x',
  body: Object.entries(records)
    .map(([key, value]) => {
      const rest = ` ${key}=${value}\n`;
      const length = Buffer.byteLength(rest);
      const total = length + String(length + 2).length;
      return `${total}${rest}`;
    })
    .join(''),
});

export interface ZipEntry {
  name: string;
  body?: string | Uint8Array;
  /** Unix type and mode; a plain file where left out. */
  mode?: number;
  /** In place of the body's true size, in the directory. */
  size?: number;
  /** 0 as it is, 8 deflated. */
  method?: 0 | 8;
  crc?: number;
  encrypted?: boolean;
}

export function zipOf(
  entries: ZipEntry[],
  { count = entries.length, directory_at }: { count?: number; directory_at?: number } = {},
): Uint8Array {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, body = '', mode = 0o100644, size, method = 8, crc, encrypted = false } of entries) {
    const bytes = Buffer.from(body);
    const packed = method === 8 ? deflateRawSync(bytes) : bytes;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(0x800 | (encrypted ? 1 : 0), 2);
    shared.writeUInt16LE(method, 4);
    shared.writeUInt32LE(crc ?? crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(size ?? bytes.length, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), shared, rest, Buffer.from(name));
    files.push(local);
    at += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(directory_at ?? at, 12);
  return Buffer.concat([...files, list, Buffer.from('PK\x05\x06'), end]);
}
