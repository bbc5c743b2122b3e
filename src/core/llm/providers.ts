import type { LanguageModel } from 'ai';
import type { ProviderId } from './settings.ts';

/** The only file that names the provider packages. Each is loaded with the first request that needs it. */

interface ProviderDoor {
  title: string;
  /** Default URL; "" if the settings must name one. */
  base_url: string;
  /** The name in OpenTelemetry's conventions. */
  telemetry_name: string;
  open(connection: ProviderConnection): Promise<LanguageModel>;
}

interface ProviderConnection {
  key: string | null;
  base_url: string;
  model: string;
  fetch: typeof globalThis.fetch;
}

/** Sets every option, because the packages read missing ones from the environment. */
const settingsOf = ({ key, base_url, fetch }: ProviderConnection) => ({ apiKey: key ?? '', baseURL: base_url, fetch });

export const PROVIDER_DOORS: Record<ProviderId, ProviderDoor> = {
  openai: {
    title: 'OpenAI',
    base_url: 'https://api.openai.com/v1',
    telemetry_name: 'openai',
    open: async (to) => (await import('@ai-sdk/openai')).createOpenAI(settingsOf(to)).responses(to.model),
  },
  anthropic: {
    title: 'Anthropic',
    base_url: 'https://api.anthropic.com/v1',
    telemetry_name: 'anthropic',
    open: async (to) => (await import('@ai-sdk/anthropic')).createAnthropic(settingsOf(to)).messages(to.model),
  },
  google: {
    title: 'Google',
    base_url: 'https://generativelanguage.googleapis.com/v1beta',
    telemetry_name: 'gcp.gemini',
    open: async (to) => (await import('@ai-sdk/google')).createGoogle(settingsOf(to)).chat(to.model),
  },
  compatible: {
    title: 'The language model server',
    base_url: '',
    telemetry_name: 'compatible',
    open: async (to) => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const { key, base_url, model, fetch } = to;
      const common = { name: 'compatible', baseURL: base_url, fetch, includeUsage: true };
      return createOpenAICompatible(key === null ? common : { ...common, apiKey: key }).chatModel(model);
    },
  },
};

/** A provider's name in OpenTelemetry's conventions. */
export const telemetryName = (provider: string): string =>
  Object.hasOwn(PROVIDER_DOORS, provider) ? PROVIDER_DOORS[provider as ProviderId].telemetry_name : provider;
