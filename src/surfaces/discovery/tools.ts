import type { Tool } from '#core/tools/tool.ts';
import type { ReadHot } from './hot.ts';
import type { SearchTools } from './tool-search.ts';
import { discoveryHot } from './tools/discovery-hot.ts';
import { discoveryTools as findTools } from './tools/discovery-tools.ts';

/** Model tools of discovery. */
export const discoveryTools = (deps: { hot: ReadHot; search: SearchTools }): Tool[] => [
  discoveryHot(deps),
  findTools(deps),
];
