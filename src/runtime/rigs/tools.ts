import type { Tool } from '#core/tools/tool.ts';
import type { RigsDeps } from './deps.ts';
import { rigCreate } from './tools/rig-create.ts';
import { rigDelete } from './tools/rig-delete.ts';
import { rigGet } from './tools/rig-get.ts';
import { rigList } from './tools/rig-list.ts';
import { rigUpdate } from './tools/rig-update.ts';
import { rigVerify } from './tools/rig-verify.ts';

/** MCP tools for rigs; `rig_run` creates a task and is one of the task tools. */
export const rigsTools = (deps: RigsDeps): Tool[] => [
  rigCreate(deps),
  rigUpdate(deps),
  rigDelete(deps),
  rigGet(deps),
  rigList(deps),
  rigVerify(deps),
];
