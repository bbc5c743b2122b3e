import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Wallets } from '../auth/wallets/wallets.ts';
import type { Catalog } from '../registry/catalog/catalog.ts';
import type { SkillShelf } from '../skills/load-skills.ts';
import type { Holding } from '../users/holding.ts';
import type { Publisher } from '../users/profile.ts';
import type { MarketplaceDeps, PublishingLimits } from './deps.ts';
import { publishingHolding } from './holding.ts';
import { findPublisherOf } from './publishers.ts';
import { openShelf } from './shelf.ts';
import { wellKnown } from './well-known.ts';

/** The door to the marketplace. */
export interface Marketplace {
  /** For the operations and tools, which are loaded with the first request. */
  deps: MarketplaceDeps;
  holding: Holding;
  findPublisher(user_id: string): Promise<Publisher | null>;
}

export interface MarketplaceOptions {
  db: Kysely<Schema>;
  clock: Clock;
  base_url: string;
  catalog: Catalog;
  skills: SkillShelf;
  wallets: Wallets;
  limits: PublishingLimits;
}

export function openMarketplace({ catalog, skills, ...options }: MarketplaceOptions): Marketplace {
  const { db, clock } = options;
  return {
    deps: { ...options, well_known: wellKnown({ catalog, skills }), shelf: openShelf({ db, clock }) },
    holding: publishingHolding({ clock }),
    findPublisher: async (user_id) => {
      const publisher = await findPublisherOf(db, user_id);
      return publisher === undefined ? null : { id: publisher.id, name: publisher.name };
    },
  };
}
