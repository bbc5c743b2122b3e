import { capabilityPath } from '../parts/capabilities.ts';
import type { Page } from '../server/page.ts';

/**
 * Any name of a capability in the URL of another page, such as `/marketplace/glama/ann/tides`, `/registry/{id}` or
 * `/skills/ann/count`: redirects to the page of what it names.
 */
export const named = {
  get: async ({ capstan, params: { name = '' } }) => {
    const { id } = await capstan.listings.get({ id: name });
    return { location: capabilityPath(id), status: 308 };
  },
} satisfies Page;
