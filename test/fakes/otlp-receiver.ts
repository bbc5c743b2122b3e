import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A collector on loopback that reads OTLP/HTTP with protobuf bodies, as far as a test wants to know. */

export interface ReceivedSpan {
  trace_id: string;
  span_id: string;
  parent_span_id: string;
  name: string;
  /** 2 is a server's, 3 a client's. */
  kind: number;
  attributes: Record<string, unknown>;
  events: { name: string; attributes: Record<string, unknown> }[];
  links: { trace_id: string; span_id: string }[];
  status: { code: number; message: string };
  resource: Record<string, unknown>;
}

interface ReceivedMetric {
  name: string;
  unit: string;
  /** For histograms, the count of each bucket. */
  points: { attributes: Record<string, unknown>; value: number | number[] }[];
}

export interface OtlpReceiver extends AsyncDisposable {
  url: string;
  spans: ReceivedSpan[];
  /** As they were sent last. */
  metrics: ReceivedMetric[];
  requests: { path: string; headers: IncomingHttpHeaders }[];
  /** What it answers from now on. */
  status: number;
  /** What it waits for before it answers. */
  until: Promise<void> | null;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const server = createServer(async (request, response) => {
    receiver.requests.push({ path: request.url ?? '', headers: request.headers });
    const body = await buffer(request);
    if (receiver.status === 200 && request.url?.endsWith('/v1/metrics')) receiver.metrics = readMetrics(body);
    else if (receiver.status === 200) receiver.spans.push(...readSpans(body));
    await receiver.until;
    response.writeHead(receiver.status, { 'content-type': 'application/x-protobuf' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    metrics: [],
    requests: [],
    status: 200,
    until: null,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** Field numbers are those of opentelemetry/proto: trace/v1/trace.proto, metrics/v1/metrics.proto, common/v1/common.proto. */
function readSpans(body: Uint8Array): ReceivedSpan[] {
  return all(body, 1).flatMap((resourceSpans) => {
    const resource = readAttributes(all(one(resourceSpans, 1), 1));
    return all(resourceSpans, 2).flatMap((scope) => all(scope, 2).map((span) => ({ ...readSpan(span), resource })));
  });
}

const readSpan = (span: Uint8Array) => ({
  trace_id: hex(one(span, 1)),
  span_id: hex(one(span, 2)),
  parent_span_id: hex(one(span, 4)),
  name: text(one(span, 5)),
  kind: Number(fieldsOf(span).find((field) => field.field === 6)?.number ?? 0),
  attributes: readAttributes(all(span, 9)),
  events: all(span, 11).map((event) => ({ name: text(one(event, 2)), attributes: readAttributes(all(event, 3)) })),
  links: all(span, 13).map((link) => ({ trace_id: hex(one(link, 1)), span_id: hex(one(link, 2)) })),
  status: {
    message: text(one(one(span, 15), 2)),
    code: Number(fieldsOf(one(span, 15)).find((field) => field.field === 3)?.number ?? 0),
  },
});

const readMetrics = (body: Uint8Array): ReceivedMetric[] =>
  all(body, 1).flatMap((of) => all(of, 2).flatMap((scope) => all(scope, 2).map(readMetric)));

const GAUGE = 5;
const SUM = 7;
const HISTOGRAM = 9;

const readMetric = (metric: Uint8Array): ReceivedMetric => ({
  name: text(one(metric, 1)),
  unit: text(one(metric, 3)),
  points: [
    ...[GAUGE, SUM].flatMap((kind) => all(one(metric, kind), 1)).map(readNumber),
    ...all(one(metric, HISTOGRAM), 1).map(readHistogram),
  ],
});

const readNumber = (point: Uint8Array) => ({
  attributes: readAttributes(all(point, 7)),
  value: Buffer.from(one(point, 4)).readDoubleLE(),
});

function readHistogram(point: Uint8Array) {
  const counts = Buffer.from(one(point, 6));
  const value = Array.from({ length: counts.length / 8 }, (_, i) => Number(counts.readBigUInt64LE(i * 8)));
  return { attributes: readAttributes(all(point, 9)), value };
}

const readAttributes = (pairs: Uint8Array[]): Record<string, unknown> =>
  Object.fromEntries(pairs.map((pair) => [text(one(pair, 1)), readValue(one(pair, 2))]));

function readValue(value: Uint8Array): unknown {
  const [field] = fieldsOf(value);
  if (field === undefined) return null;
  if (field.field === 1) return text(field.bytes);
  if (field.field === 2) return field.number === 1n;
  if (field.field === 3) return Number(field.number);
  if (field.field === 4) return Buffer.from(field.bytes).readDoubleLE();
  return field.field === 5 ? all(field.bytes, 1).map(readValue) : field.bytes;
}

interface Field {
  field: number;
  number: bigint;
  bytes: Uint8Array;
}

const NONE = new Uint8Array();
const all = (message: Uint8Array, field: number): Uint8Array[] =>
  fieldsOf(message)
    .filter((candidate) => candidate.field === field)
    .map((field) => field.bytes);
const one = (message: Uint8Array, field: number): Uint8Array => all(message, field)[0] ?? NONE;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** The protobuf wire format: a key, then a varint, eight bytes, four bytes, or a length and bytes. */
function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const key = Number(varint());
    const kind = key & 7;
    const number = kind === 0 ? varint() : 0n;
    const length = kind === 2 ? Number(varint()) : kind === 1 ? 8 : kind === 5 ? 4 : 0;
    fields.push({ field: key >> 3, number, bytes: message.subarray(at, at + length) });
    at += length;
  }
  return fields;
}
