import type { Provider } from '../provider.ts';
import { docker } from './docker/provider.ts';
import { glama } from './glama/provider.ts';
import { mcpRegistry } from './mcp-registry/provider.ts';
import { smithery } from './smithery/provider.ts';

/** Every provider there is a door to, in the order of the contract. */
export const PROVIDER_DOORS: readonly Provider[] = [mcpRegistry, smithery, glama, docker];
