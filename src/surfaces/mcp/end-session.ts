import type { Handler } from '#core/http/operation.ts';
import type { mcpContract } from './contract.ts';
import type { Endpoint } from './endpoint.ts';

export const endSession =
  ({ end }: Endpoint): Handler<typeof mcpContract.endSession> =>
  (input) =>
    end(input);
