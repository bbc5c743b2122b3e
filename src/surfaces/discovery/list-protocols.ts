import { type Handler, json } from '#core/http/operation.ts';
import type { discoveryContract } from './contract.ts';
import type { DiscoveredProtocol } from './shapes.ts';

/** GET /api/discovery/protocols */
export const listProtocols =
  (protocols: readonly DiscoveredProtocol[]): Handler<typeof discoveryContract.listProtocols> =>
  () =>
    json({ items: protocols });
