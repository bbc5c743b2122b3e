import { resolve } from 'node:path';

/**
 * For programs that tests start with an environment of their own. They find compiled code where the tests do; without it, each
 * start strips the types of the program again, which takes longer than most commands.
 */
export const CACHED_ENV = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? resolve(import.meta.dirname, '../node_modules/.cache/capstan'),
};
