import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createLog } from '#core/log.ts';
import { readProgramConfig } from '../settings.ts';
import { type Command, noArguments } from './command.ts';
import { markCacheFilled } from './fill-cache.ts';

const MCP_PING = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
};

export const warm: Command = {
  summary: 'warm the compile cache',
  usage: 'warm',
  run: async (argv) => {
    noArguments(argv);
    await loadAll();
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'capstan-warm-'));
    const config = readProgramConfig({ DATA_DIR, PORT: '0', CAPSTAN_PROVIDERS: 'off' });
    const { createApp } = await import('../app.ts');
    const app = await createApp({ config, log: createLog('silent') });
    await app.catalog.ready;
    await app.listen();
    // Loaded with the first MCP message.
    await app.fetch('/mcp/jsonrpc', MCP_PING);
    await app.close();
    await rm(DATA_DIR, { recursive: true, force: true });
    await markCacheFilled();
    return 0;
  },
};

/** Other entry points: threads, the sandbox's child process, and the program. */
const ENTRIES = /(?:worker|thread|runner|probe|child|main)\.[jt]s$/;

/** `.ts`, and `.js` in the published package. */
const EXTENSION = extname(import.meta.filename);

/** Browser scripts, which are JavaScript in the source too. */
const OF_BROWSERS = /(?:^|[\\/])(?:page|islands)[\\/]/;

/** Includes what is loaded on first use: a single uncached TypeScript file would load the type stripper, 30 MB. */
async function loadAll(): Promise<void> {
  for (const source of [join(import.meta.dirname, '../..'), join(import.meta.dirname, '../../../web')])
    for (const file of await readdir(source, { recursive: true }))
      if (file.endsWith(EXTENSION) && !file.endsWith('.test.ts') && !ENTRIES.test(file) && !OF_BROWSERS.test(file))
        await import(join(source, file));
}
