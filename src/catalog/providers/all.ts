import type { Provider } from '#catalog/sync/provider.ts';
import { claudePlugins } from './claude-plugins/provider.ts';
import { clawhub } from './clawhub/provider.ts';
import { docker } from './docker/provider.ts';
import { geminiExtensions } from './gemini-extensions/provider.ts';
import { glama } from './glama/provider.ts';
import { mcpRegistry } from './mcp-registry/provider.ts';
import { skillsSh } from './skills-sh/provider.ts';
import { smithery } from './smithery/provider.ts';

/** All provider adapters, in the order of the contract. */
export const ALL_PROVIDERS: readonly Provider[] = [
  mcpRegistry,
  smithery,
  glama,
  docker,
  clawhub,
  skillsSh,
  claudePlugins,
  geminiExtensions,
];
