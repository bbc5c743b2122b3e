import type { Handler } from '../../platform/http/operation.ts';
import type { a2aContract } from './a2a/contract.ts';
import type { A2aEndpoint } from './a2a/endpoint.ts';

export const callAgent =
  ({ post }: Pick<A2aEndpoint, 'post'>): Handler<typeof a2aContract.callAgent> =>
  (input) =>
    post(input);
