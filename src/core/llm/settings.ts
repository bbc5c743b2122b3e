import { address, duration, integer, optional, type Setting } from '#core/config/config.ts';

/** Which language models are available, and what one run may use. */

export const PROVIDERS = ['openai', 'anthropic', 'google', 'compatible'] as const;
export type ProviderId = (typeof PROVIDERS)[number];

/** `provider/name`; the name may contain slashes. */
export const modelId = (provider: string, name: string): string => `${provider}/${name}`;

export function splitModelId(id: string): [provider: string, name: string] {
  const slash = id.indexOf('/');
  return slash < 0 ? ['', id] : [id.slice(0, slash), id.slice(slash + 1)];
}

export const PLANNER_ID = 'builtin/planner';

const NAME = /^[\w@.:/+-]{1,200}$/;
export const isModelName = (name: string): boolean => NAME.test(name);

function isModelId(value: string): boolean {
  const [provider, rest] = splitModelId(value);
  return (PROVIDERS as readonly string[]).includes(provider) && NAME.test(rest);
}

const model = (name: string, description: string): Setting<string | null> => ({
  name,
  default: '',
  description,
  secret: false,
  form: 'provider/name',
  parse: (value) => {
    if (value === '' || value === PLANNER_ID || isModelId(value)) return value === '' ? null : value;
    throw new Error(`must be ${PLANNER_ID} or a model name prefixed with one of ${PROVIDERS.join('/, ')}/`);
  },
});

/** A language model, not the planner. */
export const chatModel = (name: string, description: string): Setting<string | null> => ({
  ...model(name, description),
  parse: (value) => {
    if (value === '' || isModelId(value)) return value === '' ? null : value;
    throw new Error(`must be a model name prefixed with one of ${PROVIDERS.join('/, ')}/`);
  },
});

const names = (name: string, fallback: string, description: string): Setting<string[]> => ({
  name,
  default: fallback,
  description,
  secret: false,
  form: 'comma-separated model names',
  parse: (value) => {
    const parts = value === '' ? [] : value.split(',').map((part) => part.trim());
    const wrong = parts.filter((part) => !NAME.test(part));
    if (wrong.length > 0) throw new Error(`must be comma-separated model names; invalid: "${wrong.join('", "')}"`);
    return [...new Set(parts)];
  },
});

/**
 * The key is sent with each request, so plain http is allowed only on this host, unless the URL is the operator's own
 * choice.
 */
export function baseUrl(name: string, anyHttp: boolean, description: string): Setting<string | null> {
  const { parse, ...rest } = address(name, { description });
  return {
    ...rest,
    parse: (value) => {
      const url = parse(value);
      if (url === null) return null;
      const { protocol, hostname, username, password } = new URL(url);
      if (username !== '' || password !== '') throw new Error('must not contain a user name or password');
      if (protocol === 'http:' && !anyHttp && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
        throw new Error('must be an https URL');
      return url;
    },
  };
}

const keyed = (prefix: string, title: string, models: string) => ({
  key: optional(`CAPSTAN_${prefix}_API_KEY`, { description: `API key for ${title}.`, secret: true }),
  url: baseUrl(`CAPSTAN_${prefix}_URL`, false, `Base URL for ${title}, such as a proxy.`),
  models: names(`CAPSTAN_${prefix}_MODELS`, models, `Models of ${title} to offer.`),
});

export const LLM_SETTINGS = {
  model: model('CAPSTAN_LLM_MODEL', 'Default model. If unset, the first available model is used.'),
  providers: {
    openai: keyed('OPENAI', 'OpenAI', 'gpt-5.5,gpt-5.4-mini'),
    anthropic: keyed('ANTHROPIC', 'Anthropic', 'claude-sonnet-5-5,claude-opus-5-5,claude-haiku-5-5'),
    google: keyed('GOOGLE', 'Google', 'gemini-pro-latest,gemini-flash-latest'),
    compatible: {
      key: optional('CAPSTAN_LLM_KEY', { description: 'API key for CAPSTAN_LLM_URL, if required.', secret: true }),
      url: baseUrl(
        'CAPSTAN_LLM_URL',
        true,
        'Base URL of an OpenAI-compatible chat completions server, such as http://127.0.0.1:11434/v1.',
      ),
      models: names('CAPSTAN_LLM_MODELS', '', 'Models served at CAPSTAN_LLM_URL; their ids are compatible/<name>.'),
    },
  },
  timeout_ms: duration('CAPSTAN_LLM_TIMEOUT', '2m', 1_000, { description: 'Timeout of one model response.' }),
  retries: integer('CAPSTAN_LLM_RETRIES', 2, 0, 10, {
    description: 'Maximum retries of a request that the provider did not start to answer.',
  }),
  max_steps: integer('CAPSTAN_LLM_MAX_STEPS', 16, 1, 200, {
    description: 'Maximum model responses per run.',
  }),
  max_tokens: integer('CAPSTAN_LLM_MAX_TOKENS', 200_000, 1_000, 100_000_000, {
    description: 'Maximum tokens per run: input and output of all responses.',
  }),
  max_output_tokens: integer('CAPSTAN_LLM_MAX_OUTPUT_TOKENS', 16_384, 16, 1_000_000, {
    description: 'Maximum output tokens per response.',
  }),
} as const;
