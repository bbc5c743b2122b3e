import { defined } from '#core/defined.ts';
import { cappedBody } from './body.ts';
import { failureOf, timedOut } from './failure.ts';

/**
 * Posts JSON to an address that the operator configured, and parses the JSON response. It may be in the operator's own
 * network, so the egress guard does not apply. Redirects are not followed. A user name and password in the URL are sent
 * as basic authentication. Failures are Problems `outbound.*`.
 */
export async function operatorPost(address: string, body: unknown, timeout_ms: number): Promise<unknown> {
  const url = new URL(address);
  const { username, password } = url;
  url.username = url.password = '';
  const signedIn = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const signal = AbortSignal.timeout(timeout_ms);
  const explain = (error: unknown) => (signal.aborted ? timedOut(url, error) : failureOf(error, url));
  try {
    const { request } = await import('undici');
    const answer = await request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...defined({ authorization: username === '' ? undefined : `Basic ${signedIn}` }),
      },
      body: JSON.stringify(body),
      signal,
    });
    const limits = { max_bytes: MAX_BYTES, done: () => {}, explain };
    return await new Response(cappedBody(ReadableStream.from(answer.body), limits)).json();
  } catch (error) {
    throw explain(error);
  }
}

const MAX_BYTES = 1_048_576;
