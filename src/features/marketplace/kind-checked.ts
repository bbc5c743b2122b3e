import type { ExecutionClass, ListingType } from '../registry/kinds.ts';
import type { Violation } from '../skills/checks/violation.ts';

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
