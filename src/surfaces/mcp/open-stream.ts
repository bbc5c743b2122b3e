import type { Handler } from '#core/http/operation.ts';
import type { mcpContract } from './contract.ts';
import type { Endpoint } from './endpoint.ts';

export const openStream =
  ({ stream }: Endpoint): Handler<typeof mcpContract.openStream> =>
  (input) =>
    stream(input);
