import { capabilityBuilder } from '#catalog/search/index/capability-builder.ts';
import type { CapabilityDocument } from '#catalog/search/index/document.ts';
import { type IndexView, indexViewOf } from '#catalog/search/query/marketplace-view.ts';

export function buildView(documents: Iterable<CapabilityDocument>): IndexView {
  const builder = capabilityBuilder();
  for (const document of documents) builder.add(document);
  return indexViewOf(
    { base: builder.finish().segment, dead: null, delta: null, version: 'bench', is_whole: true },
    null,
  );
}
