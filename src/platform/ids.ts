import { randomUUIDv7 } from 'node:crypto';

/** Ids of our own: UUIDv7, so that they sort by creation. */
export const newId = (): string => randomUUIDv7();
