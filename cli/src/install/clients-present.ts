import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../world.ts';

/** Detects the installed clients by their configuration folders. */

const FOLDERS: Record<string, string[]> = {
  'claude-code': ['.claude', '.claude.json'],
  cursor: ['.cursor'],
  vscode: ['.vscode', '.config/Code', 'Library/Application Support/Code', 'AppData/Roaming/Code'],
  codex: ['.codex'],
  'gemini-cli': ['.gemini'],
  goose: ['.config/goose'],
  'lm-studio': ['.lmstudio'],
  kiro: ['.kiro'],
  windsurf: ['.codeium/windsurf'],
  zed: ['.config/zed'],
  'claude-desktop': ['Library/Application Support/Claude', 'AppData/Roaming/Claude', '.config/Claude'],
};

export function clientsPresent(world: World): { client: string; folder: string }[] {
  return Object.entries(FOLDERS).flatMap(([client, folders]) => {
    const folder = folders.map((folder) => join(world.home, folder)).find((path) => existsSync(path));
    return folder === undefined ? [] : [{ client, folder }];
  });
}
