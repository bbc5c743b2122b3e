import { type Handler, json } from '#core/http/operation.ts';
import type { discoveryContract } from './contract.ts';
import type { DiscoveredAgent } from './shapes.ts';

/** GET /api/discovery/agents */
export const listAgents =
  (agents: () => readonly DiscoveredAgent[]): Handler<typeof discoveryContract.listAgents> =>
  () =>
    json({ items: agents() });
