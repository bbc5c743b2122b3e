/**
 * DNS messages (RFC 1035) as far as a stub needs them: one question in, at most one address out. Nothing of a request is
 * passed on, so no data leaves by DNS.
 */
export interface DnsRequest {
  id: number;
  recursion_desired: boolean;
  /** Null for a request that gets only an error code. */
  question: DnsQuestion | null;
  /** `FORMERR` or `NOTIMP` if there is no question. */
  error: number;
}

interface DnsQuestion {
  /** As sent, labels joined by dots; bytes that are not ASCII become U+FFFD, which no valid name contains. */
  name: string;
  type: number;
  /** The bytes to repeat in the response. */
  bytes: Buffer;
}

export const DNS_TYPE = { A: 1, AAAA: 28 } as const;
export const DNS_CODE = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4 } as const;

/** Requests have a name of 255 bytes at most; the rest is room for EDNS options. */
export const MAX_DNS_REQUEST = 1_232;

const HEADER = 12;
const MAX_NAME = 255;
const MAX_LABEL = 63;
const INTERNET = 1;
const IS_RESPONSE = 0x8000;
const OPCODE = 0x7800;
const RECURSION_DESIRED = 0x0100;
const RECURSION_AVAILABLE = 0x0080;
/** A name keeps its address while the box lives. */
const TTL_S = 60;
/** The response refers to the name in the question, which follows the header. */
const NAME_POINTER = 0xc000 | HEADER;

/** Null for messages that get no response: too short, too long, or a response itself. */
export function readDnsRequest(message: Buffer): DnsRequest | null {
  if (message.length < HEADER || message.length > MAX_DNS_REQUEST) return null;
  const flags = message.readUInt16BE(2);
  if ((flags & IS_RESPONSE) !== 0) return null;
  const id = message.readUInt16BE(0);
  const recursion_desired = (flags & RECURSION_DESIRED) !== 0;
  const failed = (error: number): DnsRequest => ({ id, recursion_desired, question: null, error });
  if ((flags & OPCODE) !== 0) return failed(DNS_CODE.NOTIMP);
  if (message.readUInt16BE(4) !== 1) return failed(DNS_CODE.FORMERR);
  const name = readName(message);
  if (name === null || name.end + 4 > message.length) return failed(DNS_CODE.FORMERR);
  if (message.readUInt16BE(name.end + 2) !== INTERNET) return failed(DNS_CODE.NOTIMP);
  const question = {
    name: name.text,
    type: message.readUInt16BE(name.end),
    bytes: message.subarray(HEADER, name.end + 4),
  };
  return { id, recursion_desired, question, error: DNS_CODE.NOERROR };
}

/** The only name of a request has nothing before it that it could point to, so pointers are malformed. */
function readName(message: Buffer): { text: string; end: number } | null {
  const labels: string[] = [];
  let at = HEADER;
  for (;;) {
    const size = message[at];
    if (size === undefined || size > MAX_LABEL || at + 1 + size - HEADER > MAX_NAME) return null;
    at += 1;
    if (size === 0) return { text: labels.join('.'), end: at };
    if (at + size > message.length) return null;
    labels.push(labelText(message.subarray(at, at + size)));
    at += size;
  }
}

/** A dot inside a label must not look like one between labels. */
function labelText(bytes: Buffer): string {
  return Array.from(bytes, (byte) => (byte > 0x7f || byte === 0x2e ? '\ufffd' : String.fromCharCode(byte))).join('');
}

/** `address` is dotted IPv4; it answers a question of type A. */
export function dnsAnswer(request: DnsRequest, code: number, address: string | null = null): Buffer {
  const header = Buffer.alloc(HEADER);
  const answers = address === null || request.question === null ? 0 : 1;
  header.writeUInt16BE(request.id, 0);
  const desired = request.recursion_desired ? RECURSION_DESIRED : 0;
  header.writeUInt16BE(IS_RESPONSE | desired | RECURSION_AVAILABLE | code, 2);
  header.writeUInt16BE(request.question === null ? 0 : 1, 4);
  header.writeUInt16BE(answers, 6);
  const question = request.question?.bytes ?? Buffer.alloc(0);
  return Buffer.concat([header, question, ...(answers === 1 ? [addressRecord(address as string)] : [])]);
}

function addressRecord(address: string): Buffer {
  const record = Buffer.alloc(16);
  record.writeUInt16BE(NAME_POINTER, 0);
  record.writeUInt16BE(DNS_TYPE.A, 2);
  record.writeUInt16BE(INTERNET, 4);
  record.writeUInt32BE(TTL_S, 6);
  record.writeUInt16BE(4, 10);
  record.set(address.split('.').map(Number), 12);
  return record;
}
