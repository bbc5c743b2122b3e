import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWorld } from '../world.ts';

/**
 * `npm run soak -- json-suite <folder>`: each file of JSONTestSuite's `test_parsing` (github.com/nst/JSONTestSuite), as the
 * body of a request and as a message over MCP. What must not parse is refused as malformed JSON (`n_`), what must is refused
 * for another reason or taken (`y_`), what is left to the reader is one of both (`i_`); nothing is an error of ours.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder that holds the files.');

const world = await openWorld();
async function post(path: string, body: Buffer): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const answer = await world.fetch(path, { method: 'POST', headers, body });
  return { status: answer.status, text: await answer.text() };
}

const DOORS: Record<string, (body: Buffer) => Promise<{ status: number; is_malformed: boolean }>> = {
  http: async (body) => {
    const { status, text } = await post('/api/marketplace/search', body);
    return { status, is_malformed: text.includes('http.invalid') };
  },
  mcp: async (body) => {
    const { status, text } = await post('/mcp/jsonrpc', body);
    // How deep a message lies is looked at before it is parsed.
    return { status, is_malformed: text.includes('-32700') || text.includes('levels deep') };
  },
};

const files = readdirSync(folder).filter((name) => /^[yni]_.*\.json$/.test(name));
const wrong: string[] = [];
for (const name of files) {
  const body = readFileSync(join(folder, name));
  for (const [door, ask] of Object.entries(DOORS)) {
    const { status, is_malformed } = await ask(body);
    const fits = name.startsWith('i_') || is_malformed === name.startsWith('n_');
    if (status >= 500 || !fits) wrong.push(`${door} ${name}: ${status}, malformed: ${is_malformed}`);
  }
}
console.log(`${files.length} files at ${Object.keys(DOORS).length} doors, ${wrong.length} answered otherwise`);
for (const line of wrong) console.log(`  ${line}`);
await world.close();
process.exit(wrong.length === 0 && files.length > 0 ? 0 : 1);
