import type { Handler } from '../../platform/http/operation.ts';
import type { interopContract } from './contract.ts';
import { neededServer } from './servers/find-server.ts';
import { registryReply } from './servers/registry-reply.ts';
import { serverEntries } from './servers/server-entry.ts';
import type { PageDeps } from './servers/server-page.ts';
import type { ServerResponse } from './servers/shapes.ts';

/** GET /v0.1/servers/{name}/versions/{version} */
export const getServerVersion =
  (deps: PageDeps): Handler<typeof interopContract.getServerVersion> =>
  async ({ params, query }) => {
    const row = await neededServer(deps, { ...params, with_removed: query.include_deleted === true });
    const [entry] = await serverEntries([row], deps);
    return registryReply(entry as ServerResponse);
  };
