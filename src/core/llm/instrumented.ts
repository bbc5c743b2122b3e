import { Counter, type Registry } from 'prom-client';
import { labelHistogram } from '#core/metrics/histogram.ts';
import { Problem } from '#core/problem/problem.ts';
import { type Model, type ModelPart, type Usage, wholeAnswer } from './model.ts';
import type { Models } from './models.ts';

/** Wraps models with metrics by provider. Models are not a label, because users may name them. */
export function instrumentedModels(models: Models, registry: Registry): Models {
  const meter = modelMeter(registry);
  return {
    ...models,
    pick: (id) => {
      const model = models.pick(id);
      return model === null ? null : counted(model, meter);
    },
  };
}

function counted(model: Model, meter: ModelMeter): Model {
  const stream: Model['stream'] = (request) => measured(model, model.stream(request), meter);
  return {
    ...model,
    stream,
    generate: (request) => wholeAnswer(stream(request)),
  };
}

async function* measured(
  { provider }: Model,
  parts: AsyncIterable<ModelPart>,
  meter: ModelMeter,
): AsyncGenerator<ModelPart> {
  const beganMs = performance.now();
  // The caller stopped reading.
  let outcome = 'given_up';
  try {
    for await (const part of parts) {
      if (part.type === 'end') {
        outcome = 'ok';
        meter.tokens(provider, part.answer.usage);
      }
      yield part;
    }
  } catch (error) {
    if (error instanceof Problem) outcome = error.reason ?? error.code.replace('llm.', '');
    throw error;
  } finally {
    meter.ended(provider, outcome, performance.now() - beganMs);
  }
}

type ModelMeter = ReturnType<typeof modelMeter>;

function modelMeter(registry: Registry) {
  const requests = new Counter({
    name: 'capstan_llm_requests_total',
    help: 'Requests to LLM providers by provider and result.',
    labelNames: ['provider', 'outcome'],
    registers: [registry],
  });
  const tokens = new Counter({
    name: 'capstan_llm_tokens_total',
    help: 'Tokens reported by LLM providers.',
    labelNames: ['provider', 'type'],
    registers: [registry],
  });
  const seconds = labelHistogram({
    name: 'capstan_llm_seconds',
    help: 'Duration of complete LLM responses.',
    label: 'provider',
    bounds: [0.5, 2, 5, 15, 60, 180],
  });
  registry.registerMetric(seconds.metric);
  return {
    ended: (provider: string, outcome: string, durationMs: number) => {
      requests.inc({ provider, outcome });
      seconds.observe(provider, durationMs / 1_000);
    },
    tokens: (provider: string, usage: Usage) => {
      for (const [name, count] of Object.entries(usage))
        if (count !== null) tokens.inc({ provider, type: name.replace('_tokens', '') }, count);
    },
  };
}
