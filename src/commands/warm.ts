import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../app.ts';
import { createLog } from '../platform/log.ts';
import { readProgramConfig } from '../settings.ts';
import { type Command, noArguments } from './command.ts';

const MCP_PING = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
};

export const warm: Command = {
  summary: 'load the whole program once, so that the first start is as quick as the next',
  usage: 'warm',
  run: async (argv) => {
    noArguments(argv);
    // The commands too: one file whose types are not stripped yet makes the first start load the stripper.
    for (const file of await readdir(import.meta.dirname)) if (!file.includes('.test.')) await import(`./${file}`);
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'capstan-warm-'));
    const config = readProgramConfig({ DATA_DIR, PORT: '0', CAPSTAN_PROVIDERS: 'off' });
    const app = await createApp({ config, log: createLog('silent') });
    await app.catalog.ready;
    await app.listen();
    // Loaded with the first message that comes.
    await app.fetch('/mcp/jsonrpc', MCP_PING);
    await app.close();
    await rm(DATA_DIR, { recursive: true, force: true });
    return 0;
  },
};
