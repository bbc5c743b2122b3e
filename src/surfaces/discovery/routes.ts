import type { Clock } from '#core/clock/clock.ts';
import type { Routes } from '#core/http/operation.ts';
import type { discoveryContract } from './contract.ts';
import { getAll } from './get-all.ts';
import type { ReadHot } from './hot.ts';
import { keptReplies } from './kept-replies.ts';
import { listAgents } from './list-agents.ts';
import { listHot } from './list-hot.ts';
import { listProtocols } from './list-protocols.ts';
import { listTools } from './list-tools.ts';
import type { DiscoveredAgent, DiscoveredProtocol } from './shapes.ts';
import { searchTools, type ToolSearchDeps } from './tool-search.ts';

interface DiscoveryDeps extends ToolSearchDeps {
  clock: Clock;
  agents(): readonly DiscoveredAgent[];
  protocols: readonly DiscoveredProtocol[];
  hot: ReadHot;
}

const KEPT_MS = 5_000;

export function discoveryRoutes(deps: DiscoveryDeps): Routes<typeof discoveryContract> {
  const { clock, agents, protocols, hot } = deps;
  const search = searchTools(deps);
  const kept = () => keptReplies(clock, KEPT_MS);
  return {
    listTools: listTools({ search, kept: kept() }),
    listAgents: listAgents(agents),
    listProtocols: listProtocols(protocols),
    getAll: getAll({ search, agents, protocols, kept: kept(), clock }),
    listHot: listHot({ hot, kept: kept() }),
  };
}
