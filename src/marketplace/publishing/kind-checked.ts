import type { Violation } from '#catalog/checks/violation.ts';
import type { ExecutionClass, ListingType } from '#catalog/items/kinds.ts';

/** What a checker of one kind says. */
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
