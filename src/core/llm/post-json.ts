import { defined } from '#core/defined.ts';
import type { OperatorFetch } from '#core/outbound/operator-fetch.ts';
import { broken, type Called, explainFailure } from './failure.ts';
import { providerFetch } from './provider-fetch.ts';

/** A server with one JSON endpoint for a model, at an address of the operator. */
export interface ModelServer {
  /** For messages, such as "The embeddings server". */
  title: string;
  url: string;
  key: string | null;
  operator: OperatorFetch;
}

interface Posting {
  signal: AbortSignal;
  /** Of the response. Parsing a larger one would hold the event loop. */
  max_bytes: number;
}

/** Posts JSON once and parses the response. Throws Problems `llm.*`; an abort throws its reason. */
export async function postJson(
  { title, url, key, operator }: ModelServer,
  body: object,
  { signal, max_bytes }: Posting,
): Promise<unknown> {
  const called: Called = { provider: title, key };
  const send = providerFetch(operator, {
    called,
    retries: 0,
    ends_at_ms: Number.POSITIVE_INFINITY,
    on_start: () => {},
  });
  try {
    const response = await send(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...defined({ authorization: key === null ? undefined : `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      signal,
    });
    return parsed(await readBody(response, max_bytes, called), called);
  } catch (error) {
    throw explainFailure(error, called, signal);
  }
}

async function readBody(response: Response, max_bytes: number, called: Called): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk as Uint8Array);
    bytes += (chunk as Uint8Array).byteLength;
    if (bytes > max_bytes) throw broken(called, 'was too large');
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string, called: Called): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw broken(called, 'was not JSON');
  }
}
