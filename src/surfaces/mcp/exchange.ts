import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '#core/http/caller.ts';

/** One message and its sender, passed through the library to the handlers in place of credentials. */
export interface Exchange {
  caller: Caller | null;
  /** The client's network address. */
  address: string;
  request_id: string;
  /** Undefined for a response. */
  method: string | undefined;
  /** As received. */
  params: Record<string, unknown>;
  /** The W3C Trace Context header. */
  traceparent: string | undefined;
  /** Whether the client accepts events; if not, there is no progress before the result. */
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
