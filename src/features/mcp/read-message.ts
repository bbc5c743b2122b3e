import { Refusal, RPC, type RpcId, type RpcMessage } from './rpc.ts';

/** One JSON-RPC message out of a body; anything else is refused by the code that the specification has for it. */

const MAX_DEPTH = 64;

export function readMessage(body: string): RpcMessage {
  const value = parse(body);
  if (Array.isArray(value)) throw invalid('A batch is not taken: send one message in a request.');
  if (!isObject(value)) throw invalid('The body must be one JSON-RPC message, which is an object.');
  const { jsonrpc, method, id, params, result, error } = value;
  const echoed = idOf(id);
  if (jsonrpc !== '2.0') throw invalid('The member jsonrpc must be "2.0".', echoed);
  if ('id' in value && echoed === null) throw invalid('The member id must be a string or a whole number.');
  if (method === undefined && (result !== undefined || error !== undefined)) return value as unknown as RpcMessage;
  if (typeof method !== 'string') throw invalid('The member method must be a string.', echoed);
  if (params !== undefined && !isObject(params)) throw invalid('The member params must be an object.', echoed);
  return value as unknown as RpcMessage;
}

function parse(body: string): unknown {
  // Before it is read: what walks a value later does so by recursion.
  if (depthOf(body) > MAX_DEPTH) throw invalid(`The body is nested more than ${MAX_DEPTH} levels deep.`);
  try {
    return JSON.parse(body);
  } catch {
    throw new Refusal(400, RPC.parse_error, 'The body is not valid JSON.');
  }
}

const invalid = (message: string, id: RpcId = null): Refusal => new Refusal(400, RPC.invalid_request, message, id);

const idOf = (id: unknown): RpcId => (typeof id === 'string' || Number.isSafeInteger(id) ? (id as RpcId) : null);

const isObject = (it: unknown): it is Record<string, unknown> =>
  typeof it === 'object' && it !== null && !Array.isArray(it);

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [...'"\\[]{}'].map((it) => it.charCodeAt(0));

/** How deep lists and objects lie in each other, whether the rest is JSON or not. */
function depthOf(text: string): number {
  let [depth, deepest, in_string] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (in_string) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) in_string = false;
    } else if (code === QUOTE) in_string = true;
    else if (code === OPEN || code === OPEN_LIST) deepest = Math.max(deepest, ++depth);
    else if (code === CLOSE || code === CLOSE_LIST) depth -= 1;
  }
  return deepest;
}
