import { SERVICE } from '#core/service.ts';
import type { Tool } from '#core/tools/tool.ts';
import { skillRunnable } from '#runtime/runs/skill-runnable.ts';
import type { ToolSearchDeps } from '#surfaces/discovery/tool-search.ts';
import { MCP } from '#surfaces/docs/index-shape.ts';
import { CONTRACT, OPERATIONS } from './contract.ts';
import type { Parts } from './parts.ts';
import { speaksMcp } from './protocols.ts';

/** What the search of tools looks at. `tools` are those of the MCP endpoint. */
export function toolSearchDeps(
  { db, skills, runs, marketplace, config }: Parts,
  tools: () => Promise<readonly Tool[]>,
): ToolSearchDeps {
  const { public_url } = config.server;
  return {
    db,
    tools,
    index: marketplace.deps.index,
    skills: skills.skills,
    skillUnavailable: skillRunnable(runs.resolve),
    own: {
      name: SERVICE.title,
      protocol_version: SERVICE.mcp_protocol_version,
      url: `${public_url ?? ''}${MCP.endpoint}`,
      tasks_url: `${public_url ?? ''}${CONTRACT.runtime.tasks.create.path}`,
      status: speaksMcp({ operations: OPERATIONS, public_url }) ? 'ok' : 'unsupported',
    },
  };
}
