/** Signing in to their servers, as data. */
export const oauthContract = {} as const;
