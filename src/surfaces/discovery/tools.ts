import type { Tool } from '#core/tools/tool.ts';
import type { ReadHot } from './hot.ts';
import { discoveryHot } from './tools/discovery-hot.ts';

/** What this feature offers to models. */
export const discoveryTools = (deps: { hot: ReadHot }): Tool[] => [discoveryHot(deps)];
