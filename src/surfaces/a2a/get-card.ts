import { type Handler, json } from '#core/http/operation.ts';
import type { a2aContract } from './contract.ts';
import type { A2aEndpoint } from './endpoint.ts';

export const getAgentCard =
  ({ cards }: Pick<A2aEndpoint, 'cards'>): Handler<typeof a2aContract.getCard> =>
  () =>
    json(cards.open(), { cache_control: 'public, max-age=300' });
