import type { Tool } from '#core/tools/tool.ts';
import type { TrialsDeps } from './deps.ts';
import { trialRun } from './tools/trial-run.ts';

/** MCP tools for runs without an account. */
export const trialsTools = (deps: TrialsDeps): Tool[] => [trialRun(deps)];
