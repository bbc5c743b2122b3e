import type { Listing } from '../shapes.ts';
import { SOURCES } from '../shapes.ts';
import type { Searched } from './texts.ts';

/** What the index holds of a capability: what the API shows of it, and what it is searched by. */
export interface CapabilityDocument {
  wire: Listing;
  searched: Searched;
  /** How much each member is used, as its provider counts. */
  used: readonly { provider: string; downloads: number; stars: number }[];
}

export { SOURCES };

/** How far a capability is proved, least first. */
export const LEVELS = ['listed', 'checked', 'ran', 'reproduced', 'used'] as const;
export type Level = (typeof LEVELS)[number];

/** A run of it really happened here. */
export const isVerified = (level: Level): boolean => LEVELS.indexOf(level) >= LEVELS.indexOf('ran');
