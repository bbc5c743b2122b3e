/**
 * The server name of a TLS connection, from its first bytes (RFC 8446, RFC 6066, RFC 9849). Every byte is copied once and
 * read once; anything unusual is malformed rather than guessed at.
 */
export type HelloVerdict =
  | { state: 'incomplete' }
  | { state: 'not_tls' }
  | { state: 'malformed' }
  | { state: 'complete'; hello: ClientHello };

export interface ClientHello {
  /** The server name as sent; null without one. */
  server_name: string | null;
  /** Whether a part is encrypted, which can hide another server name. Random filler looks the same. */
  encrypted: boolean;
}

interface HelloReader {
  /** Takes the next bytes of the connection. After a final verdict it ignores further bytes. */
  push(chunk: Uint8Array): HelloVerdict;
  /** Everything that was pushed. */
  taken(): Buffer;
  /** How much of it is the ClientHello, once that is complete. */
  hello_bytes(): number;
}

/** Post-quantum key shares take 1.2 KB, session tickets a few more. */
const MAX_HELLO = 16_384;
/** Includes room for fragment headers and data after the ClientHello. */
const MAX_TAKEN = 4 * MAX_HELLO;
const MAX_RECORD = 16_384;
const RECORD_HEADER = 5;
const MESSAGE_HEADER = 4;
const CHANGE_CIPHER_SPEC = 20;
const HANDSHAKE = 22;
const CLIENT_HELLO = 1;

/** `after_retry`: the second ClientHello, which a ChangeCipherSpec may precede. */
export function helloReader({ after_retry = false } = {}): HelloReader {
  let taken = Buffer.alloc(2_048);
  let length = 0;
  let recordAt = 0;
  let message = Buffer.alloc(0);
  const fragments: Buffer[] = [];
  let messageLength = 0;

  const grow = (needed: number): void => {
    if (needed <= taken.length) return;
    const larger = Buffer.alloc(Math.max(needed, 2 * taken.length));
    taken.copy(larger, 0, 0, length);
    taken = larger;
  };

  /** The length of the record behind its header, or why there is none. */
  const readSize = (isFiller: boolean): number | HelloVerdict => {
    if (taken[recordAt] !== HANDSHAKE && !isFiller) return { state: messageLength === 0 ? 'not_tls' : 'malformed' };
    if (length - recordAt < RECORD_HEADER) return { state: 'incomplete' };
    const size = taken.readUInt16BE(recordAt + 3);
    return taken[recordAt + 1] !== 3 || size === 0 || size > MAX_RECORD ? { state: 'malformed' } : size;
  };

  /** Reads the record at `record_at`. Null if more bytes are needed or the next record follows. */
  const readRecord = (): HelloVerdict | 'next' => {
    if (length === recordAt) return { state: 'incomplete' };
    const isFiller = after_retry && recordAt === 0 && taken[recordAt] === CHANGE_CIPHER_SPEC;
    const size = readSize(isFiller);
    if (typeof size !== 'number') return size;
    const start = recordAt + RECORD_HEADER;
    if (length < start + size) return { state: 'incomplete' };
    recordAt = start + size;
    if (isFiller) return size === 1 ? 'next' : { state: 'malformed' };
    fragments.push(taken.subarray(start, start + size));
    messageLength += size;
    return readMessage();
  };

  const readMessage = (): HelloVerdict | 'next' => {
    // A fragment of the header alone is put together with the ones before it: there are at most four of those.
    if (message.length < MESSAGE_HEADER) message = Buffer.concat(fragments);
    if (message.length < MESSAGE_HEADER) return 'next';
    const whole = MESSAGE_HEADER + message.readUIntBE(1, 3);
    if (message[0] !== CLIENT_HELLO || whole > MAX_HELLO || messageLength > whole) return { state: 'malformed' };
    if (messageLength < whole) return 'next';
    const hello = readClientHello(Buffer.concat(fragments).subarray(MESSAGE_HEADER));
    return hello === null ? { state: 'malformed' } : { state: 'complete', hello };
  };

  return {
    push(chunk) {
      if (length + chunk.length > MAX_TAKEN) return { state: 'malformed' };
      grow(length + chunk.length);
      taken.set(chunk, length);
      length += chunk.length;
      for (;;) {
        const verdict = readRecord();
        if (verdict !== 'next') return verdict;
      }
    },
    taken: () => taken.subarray(0, length),
    hello_bytes: () => recordAt,
  };
}

const SERVER_NAME = 0;
const HOST_NAME = 0;
const MAX_EXTENSIONS = 256;
/** ECH (RFC 9849), its last drafts, and ESNI, which came before it. */
const ENCRYPTED = new Set([0xfe0d, 0xfe0a, 0xfe09, 0xfe08, 0xffce, 0xff02, 0xff03]);

/** Null if it is malformed. */
function readClientHello(body: Buffer): ClientHello | null {
  const cursor = cursorOf(body);
  cursor.skip(2 + 32);
  cursor.skip(cursor.number(1));
  cursor.skip(cursor.number(2));
  cursor.skip(cursor.number(1));
  const size = cursor.left() === 0 ? 0 : cursor.number(2);
  if (cursor.failed() || cursor.left() !== size) return null;
  const hello: ClientHello = { server_name: null, encrypted: false };
  const seen = new Set<number>();
  while (cursor.left() > 0) {
    const type = cursor.number(2);
    const extension = cursor.bytes(cursor.number(2));
    if (extension === null || seen.has(type) || seen.size === MAX_EXTENSIONS) return null;
    seen.add(type);
    if (ENCRYPTED.has(type)) hello.encrypted = true;
    if (type !== SERVER_NAME) continue;
    hello.server_name = readServerName(extension);
    if (hello.server_name === null) return null;
  }
  return cursor.failed() ? null : hello;
}

/** Exactly one host name: with several, each reader could choose another one. */
function readServerName(extension: Buffer): string | null {
  const cursor = cursorOf(extension);
  if (cursor.number(2) !== cursor.left() || cursor.number(1) !== HOST_NAME) return null;
  const name = cursor.bytes(cursor.number(2));
  return name === null || name.length === 0 || cursor.left() > 0 ? null : name.toString('latin1');
}

/** Reads past the end return zeros and are recorded, so that one check at the end is enough. */
function cursorOf(bytes: Buffer) {
  let at = 0;
  let failed = false;
  const take = (size: number): number | null => {
    if (failed || at + size > bytes.length) {
      failed = true;
      return null;
    }
    at += size;
    return at - size;
  };
  return {
    failed: () => failed,
    left: () => bytes.length - at,
    skip: (size: number): void => void take(size),
    number(size: 1 | 2): number {
      const from = take(size);
      return from === null ? 0 : bytes.readUIntBE(from, size);
    },
    bytes(size: number): Buffer | null {
      const from = take(size);
      return from === null ? null : bytes.subarray(from, from + size);
    },
  };
}
