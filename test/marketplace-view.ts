import { marketplaceStateOf, withChanges } from '#catalog/search/build/marketplace-feed.ts';
import { capabilityBuilder } from '#catalog/search/index/capability-builder.ts';
import type { CapabilityDocument } from '#catalog/search/index/document.ts';
import { type MarketplaceView, marketplaceViewOf } from '#catalog/search/query/marketplace-view.ts';

/** The state of an index with these documents in its base, before any change. */
export function baseOf(documents: readonly CapabilityDocument[]) {
  const builder = capabilityBuilder();
  for (const document of documents) builder.add(document);
  const { segment: base, statistics, texts, looks, ids } = builder.finish();
  const rows = new Map(ids.map((id, row) => [id, row]));
  return {
    seq: 1,
    published: 0,
    base,
    statistics,
    texts,
    looks,
    rows,
    changed: new Map(),
    deleted: null,
    work: 0,
    is_whole: true,
  };
}

/** A view of these documents: the last `in_delta` of them in the delta, without the first `removed`. */
export function viewOf(
  documents: readonly CapabilityDocument[],
  { in_delta = 0, removed = 0 }: { in_delta?: number; removed?: number } = {},
): MarketplaceView {
  const start = baseOf(documents.slice(0, documents.length - in_delta));
  const gone = documents.slice(0, removed).map(({ wire }) => ({ id: wire.id, document: null }));
  const added = documents.slice(documents.length - in_delta).map((document) => ({ id: document.wire.id, document }));
  return marketplaceViewOf(marketplaceStateOf(withChanges(start, [...gone, ...added]), 'x'), null);
}
