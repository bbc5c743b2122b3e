/** What is stored to sign in, as data. */
export const credentialsContract = {} as const;
