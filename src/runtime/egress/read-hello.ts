import type { Socket } from 'node:net';
import { type ClientHello, helloReader } from './client-hello.ts';
import type { RefusalReason } from './egress.ts';
import { canonicalName } from './host-name.ts';

/** The first bytes of a client, and whether they may be passed on. */
type First =
  | { bytes: Buffer; tls: boolean }
  /** `ended`: the client closed the connection. */
  | { refused: RefusalReason | 'ended'; tls: boolean };

interface HelloOptions {
  /** The expected name in the ClientHello. */
  name: string;
  /** Whether other protocols than TLS are allowed. */
  plain: boolean;
  timeout_ms: number;
  after_retry?: boolean;
}

/**
 * Reads from the client until its ClientHello is complete. Leaves the socket paused, with the data after the
 * ClientHello unread.
 */
export function readHello(client: Socket, options: HelloOptions): Promise<First> {
  const { name, plain, timeout_ms, after_retry = false } = options;
  const reader = helloReader({ after_retry });
  const { promise, resolve } = Promise.withResolvers<First>();
  const timer = setTimeout(() => resolve({ refused: 'hello_timeout', tls: false }), timeout_ms);
  const take = (chunk: Buffer): void => {
    const verdict = reader.push(chunk);
    if (verdict.state === 'incomplete') return;
    client.pause();
    if (verdict.state === 'complete') {
      const refused = faultOf(verdict.hello, name);
      const bytes = reader.taken().subarray(0, reader.hello_bytes());
      const rest = reader.taken().subarray(bytes.length);
      client.off('data', take);
      if (rest.length > 0) client.unshift(rest);
      resolve(refused === null ? { bytes, tls: true } : { refused, tls: true });
    } else if (verdict.state === 'not_tls' && plain && !after_retry) {
      resolve({ bytes: reader.taken(), tls: false });
    } else {
      const malformed = verdict.state === 'malformed' || after_retry;
      resolve({ refused: malformed ? 'hello_malformed' : 'not_tls', tls: malformed });
    }
  };
  const end = (): void => resolve({ refused: 'ended', tls: false });
  client.on('data', take);
  client.once('end', end);
  client.once('close', end);
  client.resume();
  return promise.finally(() => {
    clearTimeout(timer);
    client.pause();
    client.off('data', take);
    client.off('end', end);
    client.off('close', end);
  });
}

function faultOf({ server_name, encrypted }: ClientHello, name: string): RefusalReason | null {
  if (server_name === null) return 'sni_missing';
  // A final dot is not allowed here (RFC 6066), and servers interpret it differently.
  if (server_name.endsWith('.') || canonicalName(server_name) !== name) return 'sni_mismatch';
  return encrypted ? 'sni_encrypted' : null;
}
