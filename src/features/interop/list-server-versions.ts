import type { Handler } from '../../platform/http/operation.ts';
import type { interopContract } from './contract.ts';
import { neededServer } from './servers/find-server.ts';
import { registryReply } from './servers/registry-reply.ts';
import { oneServer, type PageDeps } from './servers/server-page.ts';

/** GET /v0.1/servers/{name}/versions */
export const listServerVersions =
  (deps: PageDeps): Handler<typeof interopContract.listServerVersions> =>
  async ({ params: { name }, query }) => {
    const row = await neededServer(deps, { name, version: 'latest', with_removed: query.include_deleted === true });
    return registryReply(await oneServer(row, deps));
  };
