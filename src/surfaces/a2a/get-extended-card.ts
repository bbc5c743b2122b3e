import { type Handler, json } from '#core/http/operation.ts';
import type { a2aContract } from './contract.ts';
import type { A2aEndpoint } from './endpoint.ts';

export const getExtendedAgentCard =
  ({ cards }: Pick<A2aEndpoint, 'cards'>): Handler<typeof a2aContract.getExtendedCard> =>
  async ({ caller }) =>
    json(await cards.extended(caller), { cache_control: 'private, no-cache' });
