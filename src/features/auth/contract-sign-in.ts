/** The operations of this part, as data. */
export const signInOperations = {} as const;
