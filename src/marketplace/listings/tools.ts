import type { Tool } from '#core/tools/tool.ts';
import type { MarketplaceDeps } from './deps.ts';
import { marketplaceSearch } from './tools/marketplace-search.ts';
import { publish } from './tools/publish.ts';
import { unpublish } from './tools/unpublish.ts';

/** MCP tools of the marketplace. */
export const marketplaceTools = (deps: MarketplaceDeps): Tool[] => [
  marketplaceSearch(deps),
  publish(deps),
  unpublish(deps),
];
