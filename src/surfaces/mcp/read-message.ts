import { jsonExcess } from '#core/http/body-bounds.ts';
import { isRecord } from '#core/record.ts';
import { Refusal, RPC, type RpcId, type RpcMessage } from './rpc.ts';

/** Parses one JSON-RPC message; anything else is refused with the code of the specification. */

export function readMessage(body: string): RpcMessage {
  const value = parse(body);
  if (Array.isArray(value)) throw invalid('Batches are not supported. Send one message per request.');
  if (!isRecord(value)) throw invalid('The body must be a JSON-RPC message object.');
  const { jsonrpc, method, id, params, result, error } = value;
  const echoed = idOf(id);
  if (jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0".', echoed);
  if ('id' in value && echoed === null) throw invalid('id must be a string or an integer.');
  if (method === undefined && (result !== undefined || error !== undefined)) return value as unknown as RpcMessage;
  if (typeof method !== 'string') throw invalid('method must be a string.', echoed);
  if (params !== undefined && !isRecord(params)) throw invalid('params must be an object.', echoed);
  return value as unknown as RpcMessage;
}

function parse(body: string): unknown {
  const excess = jsonExcess(body);
  if (excess !== null) throw invalid(`The body ${excess}.`);
  try {
    return JSON.parse(body);
  } catch {
    throw new Refusal(400, RPC.parse_error, 'The body is not valid JSON.');
  }
}

const invalid = (message: string, id: RpcId = null): Refusal => new Refusal(400, RPC.invalid_request, message, id);

const idOf = (id: unknown): RpcId => (typeof id === 'string' || Number.isSafeInteger(id) ? (id as RpcId) : null);
