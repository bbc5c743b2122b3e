import { randomBytes } from 'node:crypto';

/** Frames of a WebSocket (RFC 6455), as a client reads and writes them. */

export const OPCODE = { continued: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface Frame {
  opcode: number;
  /** Whether it is the last one of its message. */
  final: boolean;
  payload: Buffer;
}

const LONG = 126;
const LONGER = 127;

export function encodeFrame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const extended = length < LONG ? 0 : length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + extended + 4);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (extended === 0 ? length : extended === 2 ? LONG : LONGER);
  if (extended === 2) head.writeUInt16BE(length, 2);
  if (extended === 8) head.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomBytes(4);
  mask.copy(head, 2 + extended);
  const masked = Buffer.from(payload);
  for (let at = 0; at < length; at++) masked[at] = (masked[at] as number) ^ (mask[at & 3] as number);
  return Buffer.concat([head, masked]);
}

/**
 * Reads frames out of chunks. Returns every frame that is complete.
 *
 * @throws Error for a frame that a server must not send, or one of more than `mostBytes`.
 */
export function frameReader(mostBytes: number): (chunk: Buffer) => Frame[] {
  let waiting: Buffer[] = [];
  let size = 0;
  let needed = 2;
  return (chunk) => {
    waiting.push(chunk);
    size += chunk.length;
    const frames: Frame[] = [];
    while (size >= needed) {
      const bytes = waiting.length === 1 ? (waiting[0] as Buffer) : Buffer.concat(waiting, size);
      waiting = [bytes];
      const head = headOf(bytes, mostBytes);
      if (head === null) {
        needed = size + 1;
        break;
      }
      needed = head.start + head.length;
      if (size < needed) break;
      frames.push({ opcode: head.opcode, final: head.final, payload: bytes.subarray(head.start, needed) });
      waiting = [bytes.subarray(needed)];
      size -= needed;
      needed = 2;
    }
    return frames;
  };
}

function headOf(bytes: Buffer, mostBytes: number) {
  const [first = 0, second = 0] = bytes;
  if ((first & 0x70) !== 0 || (second & 0x80) !== 0) throw new Error('the server sent a frame that it must not send');
  const short = second & 0x7f;
  const start = short < LONG ? 2 : short === LONG ? 4 : 10;
  if (bytes.length < start) return null;
  const length = short < LONG ? short : short === LONG ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (length > mostBytes) throw new Error('the server sent a frame that is too large');
  return { opcode: first & 0x0f, final: (first & 0x80) !== 0, start, length };
}
