import type { Prompt } from '#core/tools/prompt.ts';
import { authorASkill } from './author-a-skill.ts';
import { findAndRun } from './find-and-run.ts';
import { reviewAListing } from './review-a-listing.ts';

/** The prompts of the service: workflows with its tools that users select in their client. */
export const servicePrompts = (): Prompt[] => [findAndRun(), authorASkill(), reviewAListing()];
