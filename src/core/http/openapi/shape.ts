import type { OperationBase } from '../operation.ts';

/** JSON in the order of output. */
export type Node = { [key: string]: unknown };

/** The resource: the middle part of the operation id. */
export const tagOf = ({ id }: OperationBase): string => id.split('.')[1] as string;
