import { type Check, type Finding, fail, ok, warn } from '#core/doctor/check.ts';
import { openOperatorFetch } from '#core/outbound/operator-fetch.ts';
import { liveModels } from './live-models.ts';
import { type LlmConfig, missingSetting, openModels } from './models.ts';
import { PROVIDER_DOORS } from './providers.ts';
import { PLANNER_ID, PROVIDERS, type ProviderId } from './settings.ts';

/** Whether the language models that are set can be reached, and take the key. */
export const modelsCheck = (config: LlmConfig): Check => ({
  name: 'models',
  look: async () => {
    const set = PROVIDERS.filter((it) => missingSetting(it, config.providers[it]) === null);
    const operator = openOperatorFetch();
    try {
      const found = await Promise.all(set.map((it) => lookAt(it, config, liveModels(operator, config.providers))));
      return [...found.flat(), ...(await current(config))];
    } finally {
      await operator.close();
    }
  },
});

async function lookAt(id: ProviderId, config: LlmConfig, live: ReturnType<typeof liveModels>): Promise<Finding[]> {
  const { title } = PROVIDER_DOORS[id];
  const told = await live(id);
  if ('reason' in told) return [fail(told.reason, fixOf(id))];
  if (told.names === null) return [ok(`${title} is reached; it has no list of models, so the key is not tried.`)];
  const { models } = config.providers[id];
  const unknown = models.filter((name) => !told.names?.has(name));
  const found = [ok(`${title} is reached and takes the key; ${told.names.size} models.`)];
  if (unknown.length > 0)
    found.push(
      warn(
        `${title} does not list ${unknown.join(', ')} for this key.`,
        `${variable(id, 'MODELS')}, with names that it lists`,
      ),
    );
  return found;
}

/** What answers unless another model is chosen. */
async function current(config: LlmConfig): Promise<Finding[]> {
  const models = openModels(config);
  try {
    const missing = models.missing();
    if (missing === null) return [ok(`${models.current} answers unless another is chosen.`)];
    if (models.current !== PLANNER_ID)
      return [fail(missing, 'CAPSTAN_LLM_MODEL, with a model of a provider that is set')];
    return [ok(`${missing} The agent plans by itself, and prompts are not run: docs/guides/language-models.md.`)];
  } finally {
    await models.close();
  }
}

const variable = (id: ProviderId, what: 'URL' | 'MODELS'): string =>
  id === 'compatible' ? `CAPSTAN_LLM_${what}` : `CAPSTAN_${id.toUpperCase()}_${what}`;

const fixOf = (id: ProviderId): string =>
  id === 'compatible'
    ? 'CAPSTAN_LLM_URL and CAPSTAN_LLM_KEY: an address that answers GET /models with that key'
    : `CAPSTAN_${id.toUpperCase()}_API_KEY with a key of theirs; ${variable(id, 'URL')} where a proxy leads out`;
