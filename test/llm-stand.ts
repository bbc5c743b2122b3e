import { type LlmConfig, type Models, openModels } from '#core/llm/models.ts';
import type { ProviderId } from '#core/llm/settings.ts';
import { type FakeLlm, startLlm } from './fakes/llm.ts';

/** A fake of all providers with their models opened on it. */
interface LlmStand extends AsyncDisposable {
  llm: FakeLlm;
  models: Models;
}

export const LLM_KEY = 'test-key-that-must-not-be-seen';

/** Each provider has one model, `fake-1`; `compatible/fake-1` is the current one. */
export async function openLlmStand(more: Partial<LlmConfig> = {}): Promise<LlmStand> {
  const llm = await startLlm(undefined, LLM_KEY);
  const models = openModels({
    model: 'compatible/fake-1',
    providers: providersAt(llm.url),
    timeout_ms: 5_000,
    retries: 2,
    max_steps: 5,
    max_tokens: 20_000,
    max_output_tokens: 500,
    ...more,
  });
  const close = async () => {
    await models.close();
    await llm.close();
  };
  return { llm, models, [Symbol.asyncDispose]: close };
}

export function providersAt(url: string | null, key: string | null = LLM_KEY): LlmConfig['providers'] {
  const one = { key, url, models: ['fake-1'] };
  return { openai: one, anthropic: one, google: one, compatible: one } satisfies Record<ProviderId, object>;
}
