import type { Flagged } from '#catalog/items/flagged.ts';
import { findRow, keyOf } from '../index/key-table.ts';
import type { View } from '../query/registry-view.ts';

/** Rows of flagged listings, as `Found` numbers them; looked up once for each state of the catalogue and of the flags. */

export const NO_ROWS: ReadonlySet<number> = new Set();

export function flaggedRows(): { rowsOf(view: View, flagged: Flagged): ReadonlySet<number> } {
  let known: { view: View; flagged: Flagged; rows: ReadonlySet<number> } | null = null;
  return {
    rowsOf(view, flagged) {
      if (known?.view === view && known.flagged === flagged) return known.rows;
      known = { view, flagged, rows: flagged.places.length === 0 ? NO_ROWS : rowsOf(view, flagged) };
      return known.rows;
    },
  };
}

/** In both parts: a row that is dead in the base is on no page. */
function rowsOf({ base, delta }: View, { places }: Flagged): Set<number> {
  const rows = new Set<number>();
  for (const [provider_id, external_id] of places) {
    const key = keyOf(provider_id, external_id);
    const row = findRow(base.segment, key);
    if (row >= 0) rows.add(row);
    const other = delta === null ? -1 : findRow(delta.reader.segment, key);
    if (other >= 0) rows.add(-1 - other);
  }
  return rows;
}
