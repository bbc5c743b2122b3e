import type { Setting } from '../../../platform/config.ts';

/** A client that the operator registered at an authorization server by hand. */
export interface GivenClient {
  issuer: string;
  client_id: string;
  client_secret?: string;
}

const clients = (name: string, description: string): Setting<GivenClient[]> => ({
  ...{ name, description, default: '', secret: true },
  form: 'JSON: [{"issuer": …, "client_id": …, "client_secret": …}]',
  parse: (text) => {
    if (text === '') return [];
    const list = parsed(text);
    if (!Array.isArray(list) || !list.every(isClient))
      throw new Error('must be a JSON list of objects with issuer, client_id and, if there is one, client_secret');
    return list;
  },
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isClient(it: unknown): it is GivenClient {
  const { issuer, client_id, client_secret = '', ...rest } = Object(it);
  return [issuer, client_id, client_secret].every((part) => typeof part === 'string') && Object.keys(rest).length === 0;
}

export const OAUTH_CLIENTS = clients(
  'CAPSTAN_OAUTH_CLIENTS',
  'Clients registered by hand at authorization servers that register none by themselves. Their redirect URI is PUBLIC_URL with /api/sessions/oauth/callback.',
);
