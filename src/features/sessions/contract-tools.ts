/** Their tools, as data. */
export const toolsContract = {} as const;
