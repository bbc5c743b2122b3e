/** The operations of this part, as data. */
export const emailOperations = {} as const;
