import { isoTime } from '../../platform/clock.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import { CLOSED_SETS } from '../registry/catalog/segment.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { countRunsSince } from './proof/count-runs.ts';
import { countPublishers } from './publishers.ts';
import { countWhole } from './search/count-whole.ts';
import { isVerified, LEVELS, SOURCES } from './search/document.ts';

const DAY_MS = 86_400_000;

/** GET /api/marketplace/stats */
export const getStats =
  ({
    index,
    db,
    clock,
    leftToLink,
  }: Pick<MarketplaceDeps, 'index' | 'db' | 'clock' | 'leftToLink'>): Handler<typeof marketplaceContract.getStats> =>
  async () => {
    const { capabilities, listings, setSizes } = countWhole(await index.view());
    const by_level = named(
      LEVELS,
      setSizes(({ levels }) => levels, LEVELS.length),
    );
    return json({
      ...{ capabilities, listings, not_linked: await leftToLink() },
      publishers: await countPublishers(db),
      runs_24h: await countRunsSince(db, isoTime(clock.now() - DAY_MS)),
      verified: LEVELS.reduce((sum, level) => sum + (isVerified(level) ? (by_level[level] ?? 0) : 0), 0),
      by_listing_type: named(
        CLOSED_SETS.types,
        setSizes(({ list }) => list.types, CLOSED_SETS.types.length),
      ),
      by_execution_class: named(
        CLOSED_SETS.classes,
        setSizes(({ list }) => list.classes, CLOSED_SETS.classes.length),
      ),
      by_provider: named(
        SOURCES,
        setSizes(({ sources }) => sources, SOURCES.length),
      ),
      by_level,
    });
  };

const named = (names: readonly string[], counts: readonly number[]): Record<string, number> =>
  Object.fromEntries(names.map((name, at) => [name, counts[at] ?? 0]));
