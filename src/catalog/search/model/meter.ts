import { Counter, type Registry } from 'prom-client';

/** The metric `capstan_search_model_requests_total`. */

const PARTS = ['listings', 'tools', 'query', 'rerank'] as const;
export type SearchModelPart = (typeof PARTS)[number];

/**
 * How a request to a model ended. `late`: after the search that asked had been answered. `skipped`: not sent, because the model failed
 * several times in a row, or because of a limit.
 */
const OUTCOMES = ['ok', 'late', 'timeout', 'rate_limited', 'invalid', 'failed', 'skipped'] as const;
export type AskOutcome = (typeof OUTCOMES)[number];

export type NoteAsked = (part: SearchModelPart, outcome: AskOutcome) => void;

/** One for each registry. */
const meters = new WeakMap<Registry, NoteAsked>();

export function searchMeter(registry: Registry): NoteAsked {
  const known = meters.get(registry);
  if (known !== undefined) return known;
  const counter = new Counter({
    name: 'capstan_search_model_requests_total',
    help: "Requests of searches to the operator's models by purpose and result.",
    labelNames: ['part', 'outcome'],
    registers: [registry],
  });
  const note: NoteAsked = (part, outcome) => counter.inc({ part, outcome });
  for (const part of PARTS) for (const outcome of OUTCOMES) counter.inc({ part, outcome }, 0);
  meters.set(registry, note);
  return note;
}
