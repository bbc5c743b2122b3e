import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '#core/http/caller.ts';

/** One message and whoever sent it, carried past the library to the handlers in the place that it has for credentials. */
export interface Exchange {
  caller: Caller | null;
  /** The client's network address. */
  address: string;
  request_id: string;
  /** Undefined for a response. */
  method: string | undefined;
  /** As they were sent. */
  params: Record<string, unknown>;
  /** The header of W3C Trace Context. */
  traceparent: string | undefined;
  /** Whether the client takes events in an answer; without, nothing is told before the result. */
  hears: boolean;
}

export const carrying = (exchange: Exchange): AuthInfo => ({
  token: '',
  clientId: '',
  scopes: [],
  extra: { exchange },
});

export function exchangeIn(auth: AuthInfo | undefined): Exchange {
  const exchange = auth?.extra?.exchange;
  if (exchange === undefined) throw new Error('Unexpected message outside the endpoint.');
  return exchange as Exchange;
}

export const exchangeOf = ({ http }: ServerContext): Exchange => exchangeIn(http?.authInfo);
