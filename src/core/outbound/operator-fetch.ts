import type { LookupFunction } from 'node:net';
import { defined } from '#core/defined.ts';
import { cappedBody, tooLarge } from './body.ts';
import type { Resolve } from './connect.ts';
import { failureOf } from './failure.ts';
import { isRedirect, refused } from './redirect.ts';
import { Agent, type Headers, undiciFetch } from './undici.ts';

/**
 * A fetch to addresses that the operator configured. They may be in the operator's own network, so the egress guard
 * does not apply. Redirects are not followed. Failures are Problems `outbound.*`; an abort throws the signal's reason.
 * The signal limits the time.
 */
export interface OperatorFetch {
  fetch(url: string | URL, init: OperatorInit): Promise<Response>;
  close(): Promise<void>;
}

interface OperatorInit {
  method?: string;
  headers?: ConstructorParameters<typeof Headers>[0] | undefined;
  body?: string | null | undefined;
  signal: AbortSignal;
  /** Of the decoded body. */
  max_bytes: number;
  /** `answer` returns redirects to the caller. Default: refused. */
  redirect?: 'answer' | undefined;
}

interface OperatorFetchOptions {
  /** Certificate authorities in PEM, in place of Node's. */
  ca?: readonly string[] | undefined;
  resolve?: Resolve | undefined;
}

export function openOperatorFetch({ ca, resolve }: OperatorFetchOptions = {}): OperatorFetch {
  const lookup = resolve === undefined ? undefined : lookupOf(resolve);
  const connect = { timeout: 10_000, ...defined({ ca: ca === undefined ? undefined : [...ca], lookup }) };
  const agent = new Agent({ connect, allowH2: false, headersTimeout: 0, bodyTimeout: 0 });
  return {
    fetch: (url, init) => request(agent, new URL(url), init),
    close: () => agent.destroy(),
  };
}

const lookupOf =
  (resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, '', 0),
    );
  };

async function request(agent: Agent, url: URL, { max_bytes, redirect, ...init }: OperatorInit): Promise<Response> {
  const explain = (error: unknown) => (init.signal.aborted ? init.signal.reason : failureOf(error, url));
  try {
    const answer = await undiciFetch(url, { ...init, redirect: 'manual', dispatcher: agent } as Parameters<
      typeof undiciFetch
    >[1]);
    const { status, statusText } = answer;
    const refuses = isRedirect(answer) && redirect !== 'answer';
    if (refuses || answer.headers.get('content-encoding')?.includes(',')) {
      await answer.body?.cancel();
      throw refuses ? refused('but redirects are not followed here') : tooLarge(max_bytes);
    }
    const headers = [...answer.headers].filter(([name]) => !/^content-(length|encoding)$/.test(name));
    const limits = { max_bytes, done: () => {}, explain };
    const body = answer.body === null ? null : cappedBody(answer.body as ReadableStream<Uint8Array>, limits);
    return new Response(body, { status, statusText, headers: headers as [string, string][] });
  } catch (error) {
    throw explain(error);
  }
}
