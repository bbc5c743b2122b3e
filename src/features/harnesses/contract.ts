import { contextPart } from './contract-context.ts';
import { harnessesPart } from './contract-harnesses.ts';
import { memoryPart } from './contract-memory.ts';

/** The harnesses feature as data. */
export const harnessesContract = { ...harnessesPart, ...memoryPart, ...contextPart };
