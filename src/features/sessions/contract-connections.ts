/** Connections themselves, as data. */
export const connectionsContract = {} as const;
