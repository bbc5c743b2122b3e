import { jsonExcess } from '#core/http/body-bounds.ts';
import { isRecord } from '#core/record.ts';
import { jsonFault } from '#core/text/keepable.ts';
import { checkParams } from './check-params.ts';
import { invalidParams, Refusal, RPC, type RpcCall, type RpcErrorBody, type RpcId } from './rpc.ts';

/** Parses a call. Throws a Refusal with the protocol's error code. */
export function readEnvelope(body: string): RpcCall {
  const value = parse(body);
  if (!isRecord(value)) throw unfit(null, 'The body must be one JSON-RPC request object. Batches are not supported.');
  const { jsonrpc, id = null, method, params = {} } = value;
  const echoed: RpcId = typeof id === 'string' || Number.isSafeInteger(id) ? (id as RpcId) : null;
  if (id !== null && echoed === null) throw unfit(null, 'id must be a string or an integer.');
  if (jsonrpc !== '2.0') throw unfit(echoed, 'jsonrpc must be "2.0".');
  if (typeof method !== 'string' || method === '') throw unfit(echoed, 'method must be the name of a method.');
  if (!isRecord(params))
    throw new Refusal(echoed, invalidParams([{ field: 'params', description: 'must be an object' }]));
  return { jsonrpc, id: echoed, method, params };
}

/** Checks that the method exists and its parameters are valid. Unknown parameters are ignored. */
export function checkCall({ id, method, params }: RpcCall): void {
  const violations = checkParams(method, params);
  if (violations === undefined)
    throw new Refusal(id, {
      code: RPC.method_not_found,
      message: `Unknown method ${JSON.stringify(method.slice(0, 100))}.`,
    });
  if (violations.length > 0) throw new Refusal(id, invalidParams(violations));
}

function parse(body: string): unknown {
  const excess = jsonExcess(body);
  if (excess !== null) throw unfit(null, `The body ${excess}.`);
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new Refusal(null, { code: RPC.parse_error, message: 'The body is not valid JSON.' });
  }
  // Later code reads values recursively, and stored text must not contain lone surrogates.
  const fault = jsonFault(value);
  if (fault !== null) throw unfit(null, `The body ${fault}.`);
  return value;
}

function unfit(id: RpcId, message: string): Refusal {
  const error: RpcErrorBody = { code: RPC.invalid_request, message };
  return new Refusal(id, error);
}
