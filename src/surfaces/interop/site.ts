import type { OperationBase } from '#core/http/operation.ts';

/** Data for the documents that describe this service. */
export interface InteropSite {
  /** The public URL without a trailing slash. */
  base_url: string;
  reverse_domain: string;
  /** Every operation of the contract: nothing else is described. */
  operations: readonly Pick<OperationBase, 'path'>[];
}

export const offers = ({ operations }: Pick<InteropSite, 'operations'>, path: string): boolean =>
  operations.some((operation) => operation.path === path);
