import { join } from 'node:path';
import type { World } from '../world.ts';

/** Where clients look for skills. */

const FOLDERS: Record<string, { user: string; project: string }> = {
  'claude-code': { user: '.claude/skills', project: '.claude/skills' },
  codex: { user: '.codex/skills', project: '.agents/skills' },
  'gemini-cli': { user: '.gemini/skills', project: '.gemini/skills' },
  cursor: { user: '.cursor/skills', project: '.cursor/skills' },
  goose: { user: '.config/goose/skills', project: '.agents/skills' },
  any: { user: '.agents/skills', project: '.agents/skills' },
};

export const SKILL_CLIENTS = Object.keys(FOLDERS);

/** Undefined: the client is not known to take skills. */
export function skillFolder(world: World, client: string, scope: 'user' | 'project', name: string): string | undefined {
  const folder = FOLDERS[client];
  if (folder === undefined) return undefined;
  return join(scope === 'user' ? world.home : world.cwd, folder[scope], name);
}
