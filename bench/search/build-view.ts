import { capabilityBuilder } from '#marketplace/search/build.ts';
import type { CapabilityDocument } from '#marketplace/search/document.ts';
import { type IndexView, indexViewOf } from '#marketplace/search/view.ts';

export function buildView(documents: Iterable<CapabilityDocument>): IndexView {
  const builder = capabilityBuilder();
  for (const it of documents) builder.add(it);
  return indexViewOf(
    { base: builder.finish().segment, dead: null, delta: null, version: 'bench', is_whole: true },
    null,
  );
}
