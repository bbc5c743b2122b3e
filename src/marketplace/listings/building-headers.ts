import type { MarketplaceView } from '#catalog/search/query/marketplace-view.ts';

/** Headers while the first index is being built, when a response covers only part of the capabilities. */
export const buildingHeaders = ({ is_whole }: MarketplaceView): Record<string, string> =>
  is_whole ? {} : { 'x-capstan-index': 'building' };
