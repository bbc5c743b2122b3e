import { fold } from '#catalog/changes/fold.ts';
import type { Item } from './item.ts';

/** The fields in which terms are searched. */
type Field = 'name' | 'description' | 'author' | 'id';

type Searched = Pick<Item, 'name' | 'description' | 'author' | 'external_id'>;

/** By term: the first field that contains it. */
export function matchedFields(item: Searched, terms: readonly string[]): Map<string, Field> {
  const texts: [Field, string][] = [
    ['name', fold(item.name.toWellFormed())],
    ['description', fold(item.description.toWellFormed())],
    ['author', fold(item.author.toWellFormed())],
    ['id', fold(item.external_id)],
  ];
  const found = new Map<string, Field>();
  for (const term of terms) {
    const field = texts.find(([, text]) => text.includes(term));
    if (field !== undefined) found.set(term, field[0]);
  }
  return found;
}
