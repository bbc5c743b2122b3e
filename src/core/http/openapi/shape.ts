import type { OperationBase } from '../operation.ts';

/** JSON as it is written out. */
export type Node = { [key: string]: unknown };

/** The resource: the middle part of the operation's id. */
export const tagOf = ({ id }: OperationBase): string => id.split('.')[1] as string;
