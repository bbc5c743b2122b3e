/** Where the files of skills are, unless an operator or user has a mirror. */
export const SKILL_HOSTS = { clawhub: 'https://clawhub.ai', github: 'https://codeload.github.com' } as const;
