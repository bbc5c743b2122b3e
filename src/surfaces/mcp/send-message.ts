import type { Handler } from '#core/http/operation.ts';
import type { mcpContract } from './contract.ts';
import type { Endpoint } from './endpoint.ts';

export const sendMessage =
  ({ post }: Endpoint): Handler<typeof mcpContract.sendMessage> =>
  (input) =>
    post(input);
