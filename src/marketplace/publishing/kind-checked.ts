import type { Violation } from '#catalog/checks/violation.ts';
import type { ExecutionClass, ListingType } from '#catalog/items/kinds.ts';

/** The result of the checks of one listing type. */
export interface KindChecked {
  listing_type: ListingType;
  execution_class: ExecutionClass;
  name: string;
  description: string;
  version: string;
  license: string;
  digest: string;
  violations: Violation[];
}
