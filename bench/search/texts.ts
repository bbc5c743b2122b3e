import { textKeys } from '#catalog/search/index/copies.ts';
import { documentOfItem } from '#test/item-documents.ts';
import { realItems } from './documents-at.ts';

let texts: Map<string, number> | undefined;

/** By `provider/id`: what copies of one text have in common. A search shows one of them. Others are not in it. */
export function textsOfListings(): ReadonlyMap<string, number> {
  texts ??= new Map(
    realItems().flatMap((item, at) => {
      const [key] = textKeys(documentOfItem(item, at));
      return key === undefined ? [] : [[`${item.provider_id}/${item.external_id}`, key]];
    }),
  );
  return texts;
}
