/** The operations of this part, as data. */
export const googleOperations = {} as const;
