import { createHash, type KeyObject } from 'node:crypto';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Answers } from './asking.ts';
import { exchangeOf } from './exchange.ts';
import type { Sdk } from './sdk.ts';

/**
 * The state that a client carries between rounds of questions: the answers so far, signed, valid for ten minutes, and
 * bound to the caller and the exact call, so that answers cannot be used for something else.
 */

const TTL_S = 600;

export function requestState(sdk: Sdk, key: KeyObject) {
  const codec = sdk.createRequestStateCodec<Answers>({ key: key.export(), ttlSeconds: TTL_S, bind: callOf });
  return {
    verify: codec.verify,
    mint: (answers: Answers, context: ServerContext): Promise<string> => codec.mint(answers, context),
  };
}

function callOf(context: ServerContext): string {
  const { caller, params } = exchangeOf(context);
  const { _meta: _, inputResponses: __, requestState: ___, ...call } = params;
  const digest = createHash('sha256').update(JSON.stringify(call)).digest('base64');
  return `${caller?.user_id ?? ''}|${context.mcpReq.method}|${digest}`;
}
