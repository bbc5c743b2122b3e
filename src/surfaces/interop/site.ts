import type { OperationBase } from '#core/http/operation.ts';

/** What the documents that describe this service are made from. */
export interface InteropSite {
  /** Where others reach the service, without a slash at the end. */
  base_url: string;
  reverse_domain: string;
  /** Every operation of the contract: what is not in it is not described. */
  operations: readonly Pick<OperationBase, 'path'>[];
}

export const offers = ({ operations }: Pick<InteropSite, 'operations'>, path: string): boolean =>
  operations.some((operation) => operation.path === path);
