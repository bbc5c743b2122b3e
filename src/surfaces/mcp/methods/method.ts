import type { ServerContext } from '@modelcontextprotocol/server';
import type { TObject } from 'typebox';
import { Type } from '#core/json-schema/type.ts';
import type { Asking } from '#core/tools/asking.ts';
import type { Exchange } from '../exchange.ts';

const Cursor = Type.Optional(Type.String({ maxLength: 100 }));
export const ListParams = Type.Object({ cursor: Cursor });

/** A method of the protocol: the schema of its params, and its handler. */
export interface Method {
  params: TObject;
  /** Whether it may ask the client a question. */
  asks?: boolean;
  /** Receives valid params; throws `Problem` and `RpcError`. Returns the result in the protocol's format. */
  answer(params: Record<string, unknown>, turn: Turn): Promise<Record<string, unknown>>;
}

export interface Turn {
  exchange: Exchange;
  context: ServerContext;
  asking: Asking;
}

/** Infers the types of each method; the table of methods treats them alike. */
export const method = <P>(entry: {
  params: TObject;
  asks?: boolean;
  answer(params: P, turn: Turn): Promise<Record<string, unknown>>;
}): Method => entry as unknown as Method;
