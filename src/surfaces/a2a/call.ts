import type { Handler } from '#core/http/operation.ts';
import type { a2aContract } from './contract.ts';
import type { A2aEndpoint } from './endpoint.ts';

export const callAgent =
  ({ post }: Pick<A2aEndpoint, 'post'>): Handler<typeof a2aContract.call> =>
  (input) =>
    post(input);
