import { capabilityBuilder } from '#catalog/search/index/capability-builder.ts';
import type { CapabilityDocument } from '#catalog/search/index/document.ts';
import { type MarketplaceView, marketplaceViewOf } from '#catalog/search/query/marketplace-view.ts';

export function buildView(documents: Iterable<CapabilityDocument>): MarketplaceView {
  const builder = capabilityBuilder();
  for (const document of documents) builder.add(document);
  return marketplaceViewOf(
    { base: builder.finish().segment, deleted: null, delta: null, version: 'bench', is_whole: true },
    null,
  );
}
