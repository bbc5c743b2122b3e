import type { Handler } from '#core/http/operation.ts';
import type { serversContract } from './contract.ts';
import { type EarlierDeps, earlierEntries } from './earlier-entries.ts';
import { neededServer } from './find-server.ts';
import { registryReply } from './registry-reply.ts';
import { serverEntries } from './server-entry.ts';
import type { PageDeps } from './server-page.ts';

/** GET /v0.1/servers/{name}/versions */
export const listServerVersions =
  (deps: PageDeps & EarlierDeps): Handler<typeof serversContract.listVersions> =>
  async ({ params: { name }, query }) => {
    const row = await neededServer(deps, { name, with_removed: query.include_deleted === true });
    const servers = [...(await serverEntries([row], deps)), ...(await earlierEntries(row, deps))];
    return registryReply({ servers, metadata: { count: servers.length } });
  };
