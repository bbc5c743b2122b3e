import { PROVIDERS, type ProviderId } from '#catalog/items/kinds.ts';
import { hasBit } from '../index/bitset.ts';
import { findRow, keyOf, readItem } from '../index/key-table.ts';
import type { ListQuery } from './list-query.ts';
import type { Reader } from './reader.ts';
import type { View } from './registry-view.ts';

/** Rows whose id was asked for. */
export interface Ids {
  base: number[];
  delta: number[];
}

/** An id at any provider, or at the one that stands before it; null where the text is no id. */
export function idsIn(view: View, asked: Filters, written: string): Ids | null {
  const text = written.trim();
  if (text === '' || /\s/.test(text)) return null;
  const named = PROVIDERS.find((provider) => text.startsWith(`${provider}/`));
  const places: [ProviderId, string][] = [
    ...PROVIDERS.map((provider): [ProviderId, string] => [provider, text]),
    ...(named === undefined ? [] : [[named, text.slice(named.length + 1)] as [ProviderId, string]]),
  ];
  const ids: Ids = { base: [], delta: [] };
  for (const [provider, id] of places) {
    const key = keyOf(provider, id);
    const row = findRow(view.base.segment, key);
    if (row >= 0 && (view.dead === null || !hasBit(view.dead, row)) && fits(view.base, row, asked)) ids.base.push(row);
    const other = view.delta === null ? -1 : findRow(view.delta.reader.segment, key);
    if (view.delta !== null && other >= 0 && fits(view.delta.reader, other, asked)) ids.delta.push(other);
  }
  return ids.base.length + ids.delta.length === 0 ? null : ids;
}

type Filters = Pick<ListQuery, 'provider' | 'listing_type' | 'execution_class'>;

function fits({ segment }: Reader, row: number, asked: Filters): boolean {
  const item = readItem(segment, row);
  return (['provider', 'listing_type', 'execution_class'] as const).every(
    (field) => asked[field] === null || asked[field] === item[field === 'provider' ? 'provider_id' : field],
  );
}
