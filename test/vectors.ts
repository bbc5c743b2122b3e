import { readFileSync } from 'node:fs';

/** Vectors that other projects published; test/vectors/SOURCE.md has their sources and licences. */
const DIR = new URL('./vectors/', import.meta.url);

export const readVectors = <T>(path: string): T => JSON.parse(readFileSync(new URL(path, DIR), 'utf8')) as T;
