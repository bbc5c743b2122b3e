/** ClientHellos for tests, well-formed enough for a real server. */

interface HelloParts {
  /** Each is one entry of the server name extension; empty leaves the extension out. */
  names?: readonly string[];
  /** More extensions, as type and body. */
  extensions?: readonly (readonly [type: number, body: Buffer])[];
  /** Bytes of each handshake record. */
  record_bytes?: number;
}

const SERVER_NAME = 0;

/** Without a key share, so that a TLS 1.3 server asks for a second ClientHello. */
const MODERN: readonly (readonly [number, Buffer])[] = [
  [10, Buffer.from('000400190017', 'hex')],
  [13, Buffer.from('0006040308040401', 'hex')],
  [43, Buffer.from('020304', 'hex')],
  [51, Buffer.from('0000', 'hex')],
];

export function helloBytes({ names = [], extensions = [], record_bytes = 16_384 }: HelloParts = {}): Buffer {
  const nameExtension = names.length === 0 ? [] : [[SERVER_NAME, nameList(names)] as const];
  const list = [...nameExtension, ...MODERN, ...extensions].map(([type, body]) =>
    Buffer.concat([number(type, 2), sized(body, 2)]),
  );
  const body = Buffer.concat([
    number(0x0303, 2),
    Buffer.alloc(32, 7),
    sized(Buffer.alloc(32, 9), 1),
    sized(Buffer.from('1301', 'hex'), 2),
    sized(Buffer.of(0), 1),
    sized(Buffer.concat(list), 2),
  ]);
  return records(Buffer.concat([Buffer.of(1), sized(body, 3)]), record_bytes);
}

export function nameList(names: readonly string[]): Buffer {
  return sized(
    Buffer.concat(names.map((name) => Buffer.concat([Buffer.of(0), sized(Buffer.from(name, 'latin1'), 2)]))),
    2,
  );
}

/** A handshake message in records of this size. */
export function records(message: Buffer, record_bytes: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < message.length; at += record_bytes)
    parts.push(Buffer.from([22, 3, 1]), sized(message.subarray(at, at + record_bytes), 2));
  return Buffer.concat(parts);
}

function sized(bytes: Buffer, size: number): Buffer {
  return Buffer.concat([number(bytes.length, size), bytes]);
}

function number(value: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
}
