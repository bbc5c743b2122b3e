import type { ListingType } from '#catalog/items/kinds.ts';
import type { OwnDetail } from '#catalog/items/own-listings.ts';

/** How each type runs as a task. */
export const RUNS: Record<ListingType, OwnDetail['runs']> = {
  skill: { detail: 'It runs here as a task.', input: {} },
  rig: { detail: 'It runs here as a task; its input is the parameters of its rig.yaml.', input: {} },
  harness: {
    detail:
      'It runs here as a task, by a language model. Input: {"prompt": "<what is to be done>", "model"?, "connections"?: ' +
      '{"<server of its harness.yaml>": "<id of a connection of yours>"}}; all else in it goes along as data.',
    input: { prompt: '<what is to be done>' },
  },
  server: { detail: 'It runs here as a task.', input: {} },
};
