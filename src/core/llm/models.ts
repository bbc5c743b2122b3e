import { openOperatorFetch } from '#core/outbound/operator-fetch.ts';
import { type Live, liveModels } from './live-models.ts';
import type { Model } from './model.ts';
import { PROVIDER_DOORS } from './providers.ts';
import { sdkModel } from './sdk-model.ts';
import { isModelName, modelId, PLANNER_ID, PROVIDERS, type ProviderId, splitModelId } from './settings.ts';

/** The configured language models. Nothing is loaded or requested before the first call. */

export interface LlmConfig {
  model: string | null;
  providers: Record<ProviderId, { key: string | null; url: string | null; models: readonly string[] }>;
  timeout_ms: number;
  retries: number;
  max_steps: number;
  max_tokens: number;
  max_output_tokens: number;
}

interface ModelInfo {
  /** `provider/name`. */
  id: string;
  provider: string;
  name: string;
  /** False for the planner. */
  is_llm: boolean;
  available: boolean;
  /** Why it is unavailable, and how to fix it. */
  reason?: string;
}

export interface ModelLimits {
  max_steps: number;
  max_tokens: number;
  max_output_tokens: number;
}

export interface Models {
  list(): ModelInfo[];
  /** Like `list`, with what each configured provider reports; cached for a minute. */
  listLive(): Promise<ModelInfo[]>;
  /** Id of the default: a language model, or else the planner. */
  readonly current: string;
  /** Returns the model with this id, or the default. Null if it is unknown, unavailable or not a language model. */
  pick(id?: string | null): Model | null;
  /** Why there is no model to pick; null if there is one. */
  missing(): string | null;
  readonly limits: ModelLimits;
  close(): Promise<void>;
}

const PLANNER: ModelInfo = { id: PLANNER_ID, provider: 'builtin', name: 'planner', is_llm: false, available: true };

export function openModels(config: LlmConfig): Models {
  const operator = openOperatorFetch();
  const { items, current, find } = configured(config);
  const live = liveModels(operator, config.providers);
  const { max_steps, max_tokens, max_output_tokens, timeout_ms, retries } = config;
  return {
    list: () => items.map((modelInfo) => ({ ...modelInfo })),
    listLive: async () => {
      const told = await Promise.all(
        PROVIDERS.map(async (key) =>
          missingSetting(key, config.providers[key]) === null
            ? asTold(config, key, items, await live(key))
            : items.filter(({ provider }) => provider === key),
        ),
      );
      return [...told.flat(), { ...PLANNER }];
    },
    current,
    pick: (id) => {
      const info = find(id ?? current);
      if (info === undefined || !info.available || !info.is_llm) return null;
      const provider = info.provider as ProviderId;
      const { key, url } = config.providers[provider];
      const base_url = url ?? PROVIDER_DOORS[provider].base_url;
      return sdkModel({ provider, name: info.name, key, base_url, timeout_ms, retries, operator });
    },
    missing: () => missingIn(find(current) as ModelInfo),
    limits: { max_steps, max_tokens, max_output_tokens },
    close: () => operator.close(),
  };
}

function configured(config: LlmConfig) {
  const items = [...PROVIDERS.flatMap((provider) => namesAt(config, provider)), PLANNER];
  const current = config.model ?? (items.find((modelInfo) => modelInfo.available) as ModelInfo).id;
  const find = (id: string) => items.find((modelInfo) => modelInfo.id === id) ?? anyOf(config, id);
  return { items, current, find };
}

function missingIn(info: ModelInfo): string | null {
  if (!info.is_llm) return 'No language model is configured.';
  return info.available ? null : `${info.id} is not available: ${info.reason}`;
}

/** Why there is no model to pick, by the settings alone; null if there is one. */
export function whyNoModel(config: LlmConfig): string | null {
  const { current, find } = configured(config);
  return missingIn(find(current) as ModelInfo);
}

/** The models of one provider, including the default if it is one of them. */
function namesAt({ model, providers }: LlmConfig, provider: ProviderId): ModelInfo[] {
  const [of, name] = splitModelId(model ?? '');
  const names = new Set([...(of === provider ? [name] : []), ...providers[provider].models]);
  const reason = missingSetting(provider, providers[provider]);
  const state = reason === null ? { available: true } : { available: false, reason };
  return [...names].map((name) => ({ id: modelId(provider, name), provider, name, is_llm: true, ...state }));
}

const isOpen = ({ providers }: LlmConfig, provider: ProviderId): boolean =>
  providers[provider].models.length === 0 && missingSetting(provider, providers[provider]) === null;

/** If the settings name no models, any model of the provider can be used. */
function anyOf(config: LlmConfig, id: string): ModelInfo | undefined {
  const [of, name] = splitModelId(id);
  const provider = PROVIDERS.find((provider) => provider === of);
  if (provider === undefined || !isModelName(name) || !isOpen(config, provider)) return undefined;
  return { id, provider, name, is_llm: true, available: true };
}

/** The offered models with the provider's live state; all of the provider's models if the settings name none. */
function asTold(config: LlmConfig, provider: ProviderId, items: readonly ModelInfo[], live: Live): ModelInfo[] {
  const named = items.filter((modelInfo) => modelInfo.provider === provider);
  if ('reason' in live) return named.map((modelInfo) => ({ ...modelInfo, available: false, reason: live.reason }));
  const { names } = live;
  if (names === null) return named;
  const missing = { available: false, reason: 'The provider does not list this model for the configured key.' };
  const known = named.map((modelInfo) => (names.has(modelInfo.name) ? modelInfo : { ...modelInfo, ...missing }));
  const more = isOpen(config, provider)
    ? [...names].filter((candidate) => !named.some(({ name }) => name === candidate))
    : [];
  return [...known, ...more.flatMap((name) => anyOf(config, modelId(provider, name)) ?? [])];
}

/** The setting that this provider lacks; null if it is configured. */
export function missingSetting(provider: ProviderId, { key, url }: LlmConfig['providers'][ProviderId]): string | null {
  if (provider === 'compatible') return url === null ? 'CAPSTAN_LLM_URL is not set.' : null;
  return key === null ? `CAPSTAN_${provider.toUpperCase()}_API_KEY is not set.` : null;
}
