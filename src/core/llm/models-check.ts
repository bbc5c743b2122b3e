import { type Check, type Finding, fail, ok, warn } from '#core/doctor/check.ts';
import { openOperatorFetch } from '#core/outbound/operator-fetch.ts';
import { liveModels } from './live-models.ts';
import { type LlmConfig, missingSetting, openModels } from './models.ts';
import { PROVIDER_DOORS } from './providers.ts';
import { PLANNER_ID, PROVIDERS, type ProviderId } from './settings.ts';

/** Checks that the configured language models can be reached and accept the key. */
export const modelsCheck = (config: LlmConfig): Check => ({
  name: 'models',
  run: async () => {
    const set = PROVIDERS.filter((provider) => missingSetting(provider, config.providers[provider]) === null);
    const operator = openOperatorFetch();
    try {
      const found = await Promise.all(
        set.map((provider) => lookAt(provider, config, liveModels(operator, config.providers))),
      );
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
  if (told.names === null) return [ok(`${title} is reachable; it has no model list, so the API key was not tested.`)];
  const { models } = config.providers[id];
  const unknown = models.filter((name) => !told.names?.has(name));
  const found = [ok(`${title} is reachable and accepts the API key; ${told.names.size} models.`)];
  if (unknown.length > 0)
    found.push(
      warn(
        `${title} does not list ${unknown.join(', ')} for this key.`,
        `Set ${variable(id, 'MODELS')} to models that it lists`,
      ),
    );
  return found;
}

/** The default model. */
async function current(config: LlmConfig): Promise<Finding[]> {
  const models = openModels(config);
  try {
    const missing = models.missing();
    if (missing === null) return [ok(`Default model: ${models.current}.`)];
    if (models.current !== PLANNER_ID)
      return [fail(missing, 'Set CAPSTAN_LLM_MODEL to a model of a configured provider')];
    return [
      ok(`${missing} The built-in planner is used and prompt skills are disabled: docs/guides/language-models.md.`),
    ];
  } finally {
    await models.close();
  }
}

const variable = (id: ProviderId, what: 'URL' | 'MODELS'): string =>
  id === 'compatible' ? `CAPSTAN_LLM_${what}` : `CAPSTAN_${id.toUpperCase()}_${what}`;

const fixOf = (id: ProviderId): string =>
  id === 'compatible'
    ? 'Set CAPSTAN_LLM_URL and CAPSTAN_LLM_KEY to a server that answers GET /models with that key'
    : `Check CAPSTAN_${id.toUpperCase()}_API_KEY; set ${variable(id, 'URL')} if a proxy is required`;
