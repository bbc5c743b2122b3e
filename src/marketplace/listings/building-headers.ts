import type { MarketplaceView } from '#catalog/search/query/marketplace-view.ts';

/** Set while the first index is being built, when an answer covers only part of the capabilities. */
export const buildingHeaders = ({ is_whole }: MarketplaceView): Record<string, string> =>
  is_whole ? {} : { 'x-capstan-index': 'building' };
