import { existsSync, readFileSync } from 'node:fs';

/** Vectors that others published, kept beside the repository. Tests that use them are skipped where they are absent. */

const DIR = new URL('../../shared/vectors/', import.meta.url);

/** For `test(title, VECTORS, …)`. */
export const VECTORS = existsSync(DIR) ? {} : { skip: 'no ../shared/vectors here' };

export const readVectors = <T>(path: string): T => JSON.parse(readFileSync(new URL(path, DIR), 'utf8')) as T;
