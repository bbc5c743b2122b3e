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
    const { headers, raw_path, request_id, address, body, signal } = input;
    const caller = await endpointCaller(deps, headers);
    return endpoint.post({ headers, raw_path, request_id, address, body, signal, caller });
  };
