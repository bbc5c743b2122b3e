import type { OperationBase } from '../operation.ts';

/** JSON as it is written out. */
export type Node = { [key: string]: unknown };

/** The feature: what stands before the dot of the operation's id. */
export const tagOf = ({ id }: OperationBase): string => id.slice(0, id.indexOf('.'));
