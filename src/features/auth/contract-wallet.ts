/** The operations of this part, as data. */
export const walletOperations = {} as const;
