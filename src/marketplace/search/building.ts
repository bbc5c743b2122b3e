import type { IndexView } from './view.ts';

/** What an answer says while the first index is being built: it holds less than there is. */
export const buildingHeaders = ({ is_whole }: IndexView): Record<string, string> =>
  is_whole ? {} : { 'x-capstan-index': 'building' };
