import type { Page } from '../server/page.ts';

/** Lists that are part of Browse. Their addresses still lead there. */

/** `/registry`: the search, the filters and the order are the same. */
export const registry = {
  get: async ({ query }) => ({ location: query.size === 0 ? '/marketplace' : `/marketplace?${query}`, status: 308 }),
} satisfies Page;

/** `/skills`: those that are published here or ship with the service. */
export const skills = {
  get: async () => ({ location: '/marketplace?provider=capstan&listing_type=skill', status: 308 }),
} satisfies Page;
