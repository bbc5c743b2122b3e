import type { ServerContext } from '@modelcontextprotocol/server';
import type { TObject } from 'typebox';
import { Type } from '#core/json-schema/type.ts';
import type { Asking } from '#core/tools/asking.ts';
import type { Exchange } from '../exchange.ts';

const Cursor = Type.Optional(Type.String({ maxLength: 100 }));
export const ListParams = Type.Object({ cursor: Cursor });

/** A method of the protocol: what its params must be, and what answers it. */
export interface Method {
  params: TObject;
  /** Whether its answer may be a question to the client. */
  asks?: boolean;
  /** Params fit; throws `Problem` and `RpcError`. Answers the result in the protocol's own form. */
  answer(params: Record<string, unknown>, turn: Turn): Promise<Record<string, unknown>>;
}

export interface Turn {
  exchange: Exchange;
  context: ServerContext;
  asking: Asking;
}

/** Types what is written above each method; the table of them sees all alike. */
export const method = <P>(entry: {
  params: TObject;
  asks?: boolean;
  answer(params: P, turn: Turn): Promise<Record<string, unknown>>;
}): Method => entry as unknown as Method;
