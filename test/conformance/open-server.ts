import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '#app/app.ts';
import { readProgramConfig } from '#app/settings.ts';
import { createLog } from '#core/log.ts';
import { conformanceOffer } from './offer.ts';

/** The real service, offering the tools of the conformance suite instead of the real ones. */
export async function openConformanceServer() {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'capstan-conformance-'));
  const env = { DATA_DIR, PORT: '0', CAPSTAN_PROVIDERS: 'off', CAPSTAN_LIMIT_MCP: '100000/1m' };
  const app = await createApp({
    config: readProgramConfig(env),
    log: createLog('silent'),
    role: 'quiet',
    offer: conformanceOffer,
  });
  const { url } = await app.listen();
  return {
    url: `${url}/mcp/jsonrpc`,
    close: async () => {
      await app.close();
      await rm(DATA_DIR, { recursive: true, force: true });
    },
  };
}
