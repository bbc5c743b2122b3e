import type { Tool } from '#core/tools/tool.ts';
import type { RigsDeps } from './deps.ts';
import { rigCreate } from './tools/rig-create.ts';
import { rigDelete } from './tools/rig-delete.ts';
import { rigGet } from './tools/rig-get.ts';
import { rigList } from './tools/rig-list.ts';
import { rigUpdate } from './tools/rig-update.ts';
import { rigVerify } from './tools/rig-verify.ts';

/** What models are offered of rigs; `rig_run` makes a task, and comes with those. */
export const rigsTools = (deps: RigsDeps): Tool[] => [
  rigCreate(deps),
  rigUpdate(deps),
  rigDelete(deps),
  rigGet(deps),
  rigList(deps),
  rigVerify(deps),
];
