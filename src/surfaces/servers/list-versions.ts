import type { Handler } from '#core/http/operation.ts';
import type { serversContract } from './contract.ts';
import { neededServer } from './find-server.ts';
import { registryReply } from './registry-reply.ts';
import { oneServer, type PageDeps } from './server-page.ts';

/** GET /v0.1/servers/{name}/versions */
export const listServerVersions =
  (deps: PageDeps): Handler<typeof serversContract.listVersions> =>
  async ({ params: { name }, query }) => {
    const row = await neededServer(deps, { name, version: 'latest', with_removed: query.include_deleted === true });
    return registryReply(await oneServer(row, deps));
  };
