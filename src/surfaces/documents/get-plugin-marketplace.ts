import type { Kysely } from 'kysely';
import { type Flagged, type FlaggedListings, NOTHING_FLAGGED } from '#catalog/items/flagged.ts';
import { liveRows } from '#catalog/items/read-items.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Handler, jsonBytes } from '#core/http/operation.ts';
import { SERVICE } from '#core/service.ts';
import { onceAVersion, withFlags } from '#surfaces/interop/once-a-version.ts';
import type { documentsContract } from './contract.ts';
import { isPluginName, type Plugin, pluginOf } from './plugin.ts';

/** GET /marketplace.json: the listed plugins as a Claude Code marketplace. */

interface Deps {
  db: Kysely<Schema>;
  catalog: Pick<Catalog, 'isReady' | 'version'>;
  flagged?: FlaggedListings;
}

const MOST_BYTES = 8 * 2 ** 20;
const MOST_PLUGINS = 5_000;
const PAGE = 200;

export function getPluginMarketplace({
  db,
  catalog,
  flagged = NOTHING_FLAGGED,
}: Deps): Handler<typeof documentsContract.getPluginMarketplace> {
  const once = onceAVersion(withFlags(catalog, flagged), MOST_BYTES);
  return () =>
    once('', async () => {
      const marketplace = {
        name: SERVICE.name,
        owner: { name: SERVICE.title },
        metadata: { description: 'Plugins of the marketplaces that this service syncs, excluding flagged ones.' },
        plugins: await listedPlugins(db, await flagged.read()),
      };
      return jsonBytes(marketplace, { cache_control: 'public, max-age=300' });
    });
}

/** Names are unique only within one marketplace: later ones, by id, get the name of their marketplace appended. */
async function listedPlugins(db: Kysely<Schema>, flagged: Flagged): Promise<Plugin[]> {
  const plugins = new Map<string, Plugin>();
  let after = { provider_id: 'claude-plugins', external_id: '' };
  while (plugins.size < MOST_PLUGINS) {
    const rows = (await liveRows(db, after, PAGE)).filter((liveRow) => liveRow.provider_id === 'claude-plugins');
    for (const row of rows) {
      const plugin = pluginOf(row);
      if (plugin === null || flagged.has(row.provider_id, row.external_id)) continue;
      const marketplace = row.external_id.slice(row.external_id.lastIndexOf('@') + 1);
      const name = [plugin.name, `${plugin.name}-${marketplace}`].find(
        (name) => isPluginName(name) && !plugins.has(name),
      );
      if (name !== undefined) plugins.set(name, { ...plugin, name });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) break;
    after = last;
  }
  return [...plugins.values()];
}
