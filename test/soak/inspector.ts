import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openWorld } from '../world.ts';

/**
 * `npm run soak -- inspector`: the MCP Inspector's command line lists and calls. By npx, because it has a hundred packages and
 * an install script, which are more than this is worth.
 */
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';

const world = await openWorld();
const { url } = await world.listen();
const home = await mkdtemp(join(tmpdir(), 'capstan-inspector-'));

async function inspect(...args: string[]): Promise<Record<string, unknown>> {
  const asked = ['--yes', '--ignore-scripts', INSPECTOR, '--cli', `${url}/mcp/jsonrpc`, '--transport', 'http', ...args];
  const child = spawn('npx', asked, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: home } });
  const [said, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  try {
    return JSON.parse(said);
  } catch {
    throw new Error(`the Inspector said no JSON: ${said}${complaint}`);
  }
}

const counts: Record<string, number> = {};
for (const [method, member] of [
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['prompts/list', 'prompts'],
] as const) {
  const items = (await inspect('--method', method))[member];
  if (!Array.isArray(items) || items.length === 0) throw new Error(`${method} lists nothing`);
  counts[method] = items.length;
}
const called = await inspect('--method', 'tools/call', '--tool-name', 'registry_search', '--tool-arg', 'query=json');
if (called.isError === true || called.structuredContent === undefined) throw new Error(JSON.stringify(called));
console.table(counts);
console.log('the Inspector lists all of it, and calls registry_search');
await world.close();
await rm(home, { recursive: true, force: true });
process.exit(0);
