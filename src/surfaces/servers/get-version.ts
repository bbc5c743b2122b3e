import type { Handler } from '#core/http/operation.ts';
import type { serversContract } from './contract.ts';
import { type EarlierDeps, earlierEntries } from './earlier-entries.ts';
import { neededServer, notFound } from './find-server.ts';
import { registryReply } from './registry-reply.ts';
import { NO_VERSION, serverEntries } from './server-entry.ts';
import type { PageDeps } from './server-page.ts';
import type { ServerResponse } from './shapes.ts';

/** GET /v0.1/servers/{name}/versions/{version} */
export const getServerVersion =
  (deps: PageDeps & EarlierDeps): Handler<typeof serversContract.getVersion> =>
  async ({ params: { name, version }, query }) => {
    const row = await neededServer(deps, { name, with_removed: query.include_deleted === true });
    const latest = row.version || NO_VERSION;
    if (version === 'latest' || version === latest) {
      const [entry] = await serverEntries([row], deps);
      return registryReply(entry as ServerResponse);
    }
    const earlier = await earlierEntries(row, deps);
    const entry = earlier.find(({ server }) => server.version === version);
    if (entry === undefined) throw unknownVersion([latest, ...earlier.map(({ server }) => server.version)]);
    return registryReply(entry);
  };

const MOST_NAMED = 5;

function unknownVersion(known: string[]) {
  if (known.length === 1) return notFound(`Server version not found. The only known version is ${known[0]}.`);
  const more = known.length > MOST_NAMED ? ' …' : '';
  return notFound(`Server version not found. Known versions: ${known.slice(0, MOST_NAMED).join(', ')}${more}.`);
}
