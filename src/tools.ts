import type { Parts } from './parts.ts';
import type { Offer } from './platform/tools/offer.ts';

/** Everything that models are offered, gathered from the features that bring it. */
export const openOffer = (_parts: Parts): Offer => ({ tools: [], resources: [], prompts: [], extensions: [] });
