import { tokenMissing } from '#accounts/auth/refusals.ts';
import type { Handler } from '#core/http/operation.ts';
import type { Endpoint } from '#surfaces/mcp/endpoint.ts';
import type { mineContract } from './contract.ts';
import { endpointCaller } from './endpoint-caller.ts';

/** POST /mcp/mine */
export const sendMessage =
  (endpoint: Endpoint, deps: Parameters<typeof endpointCaller>[0]): Handler<typeof mineContract.sendMessage> =>
  async (input) => {
    if (input.headers.authorization === undefined) throw tokenMissing();
    const { headers, request_id, address, body, signal } = input;
    return endpoint.post({ headers, request_id, address, body, signal, caller: await endpointCaller(deps, headers) });
  };
