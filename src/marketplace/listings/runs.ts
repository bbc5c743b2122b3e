import type { ListingType } from '#catalog/items/kinds.ts';
import type { OwnDetail } from '#catalog/items/own-listings.ts';

/** How to run each listing type as a task. */
export const RUNS: Record<ListingType, OwnDetail['runs']> = {
  skill: { detail: 'Runs as a task.', input: {} },
  rig: { detail: 'Runs as a task. The input is the parameters of its rig.yaml.', input: {} },
  harness: {
    detail:
      'Runs as a task with a language model. Input: {"prompt": "<instructions>", "model"?, "connections"?: ' +
      '{"<server of its harness.yaml>": "<connection id>"}}. Other fields are passed as data.',
    input: { prompt: '<instructions>' },
  },
  server: { detail: 'Runs as a task.', input: {} },
};
