import type { Handler } from '#core/http/operation.ts';
import type { serversContract } from './contract.ts';
import { neededServer } from './find-server.ts';
import { registryReply } from './registry-reply.ts';
import { serverEntries } from './server-entry.ts';
import type { PageDeps } from './server-page.ts';
import type { ServerResponse } from './shapes.ts';

/** GET /v0.1/servers/{name}/versions/{version} */
export const getServerVersion =
  (deps: PageDeps): Handler<typeof serversContract.getVersion> =>
  async ({ params, query }) => {
    const row = await neededServer(deps, { ...params, with_removed: query.include_deleted === true });
    const [entry] = await serverEntries([row], deps);
    return registryReply(entry as ServerResponse);
  };
