import type { Tool } from '#core/tools/tool.ts';
import type { ReadHot } from './hot.ts';
import { discoveryHot } from './tools/discovery-hot.ts';

/** Model tools of discovery. */
export const discoveryTools = (deps: { hot: ReadHot }): Tool[] => [discoveryHot(deps)];
