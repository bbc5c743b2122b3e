import { crc32 } from 'node:zlib';

/** Several PNG files of one size and one form as an animated one, whose first picture is what shows without animation. */

const SIGNATURE_BYTES = 8;

interface Chunk {
  name: string;
  body: Buffer;
}

export function animated(files: readonly Buffer[], delay_ms: number): Buffer {
  const [first] = files as [Buffer];
  const all = files.map(chunksOf);
  const header = bodyOf(all[0] as Chunk[], 'IHDR');
  if (all.some((chunks) => !bodyOf(chunks, 'IHDR').equals(header))) throw new Error('Pictures of different sizes');
  let sequence = 0;
  const frames = all.flatMap((chunks, at): Chunk[] => {
    const data = chunks.filter(({ name }) => name === 'IDAT').map(({ body }) => body);
    const control: Chunk = { name: 'fcTL', body: controlOf(sequence++, header, delay_ms) };
    // The first is the picture itself; the others are numbered.
    if (at === 0) return [control, ...data.map((body): Chunk => ({ name: 'IDAT', body }))];
    return [control, { name: 'fdAT', body: Buffer.concat([numberOf(sequence++), ...data]) }];
  });
  const chunks: Chunk[] = [
    { name: 'IHDR', body: header },
    { name: 'acTL', body: Buffer.concat([numberOf(files.length), numberOf(0)]) },
    ...frames,
    { name: 'IEND', body: Buffer.alloc(0) },
  ];
  return Buffer.concat([first.subarray(0, SIGNATURE_BYTES), ...chunks.map(written)]);
}

function chunksOf(file: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE_BYTES; at < file.byteLength; ) {
    const size = file.readUInt32BE(at);
    chunks.push({ name: file.toString('latin1', at + 4, at + 8), body: file.subarray(at + 8, at + 8 + size) });
    at += size + 12;
  }
  return chunks;
}

const bodyOf = (chunks: readonly Chunk[], name: string): Buffer =>
  chunks.find((chunk) => chunk.name === name)?.body ?? Buffer.alloc(0);

function numberOf(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** The whole picture, shown for a time; nothing of the one before stays. */
function controlOf(sequence: number, header: Buffer, delay_ms: number): Buffer {
  const control = Buffer.alloc(26);
  control.writeUInt32BE(sequence, 0);
  header.copy(control, 4, 0, 8);
  control.writeUInt16BE(delay_ms, 20);
  control.writeUInt16BE(1_000, 22);
  return control;
}

function written({ name, body }: Chunk): Buffer {
  const bytes = Buffer.alloc(body.byteLength + 12);
  bytes.writeUInt32BE(body.byteLength, 0);
  bytes.write(name, 4, 'latin1');
  bytes.set(body, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), body.byteLength + 8);
  return bytes;
}
