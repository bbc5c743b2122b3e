/** The users feature as data. */
export const usersContract = {} as const;
