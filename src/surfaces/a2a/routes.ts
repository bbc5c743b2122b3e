import type { Routes } from '#core/http/operation.ts';
import { callAgent } from './call.ts';
import type { a2aContract } from './contract.ts';
import type { A2aDeps } from './deps.ts';
import { openEndpoint } from './endpoint.ts';
import { getAgentCard } from './get-card.ts';
import { getExtendedAgentCard } from './get-extended-card.ts';

export function a2aRoutes(deps: A2aDeps): Routes<typeof a2aContract> {
  const endpoint = openEndpoint(deps);
  return {
    getCard: getAgentCard(endpoint),
    getExtendedCard: getExtendedAgentCard(endpoint),
    call: callAgent(endpoint),
  };
}
