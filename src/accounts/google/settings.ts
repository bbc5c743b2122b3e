import { optional, type Setting, text } from '#core/config/config.ts';
import { isLoopbackHost } from '#core/outbound/loopback.ts';

const issuer = (name: string, fallback: string, description: string): Setting<string> => ({
  ...text(name, fallback, { description }),
  form: 'an https URL, or http on loopback',
  parse: (value) => {
    const url = URL.parse(value);
    const isLoopback = url?.protocol === 'http:' && isLoopbackHost(url.hostname);
    if (url === null || (url.protocol !== 'https:' && !isLoopback))
      throw new Error('must be an https URL, or http on loopback');
    if (url.search !== '' || url.hash !== '') throw new Error('must have no query and no fragment');
    return value;
  },
});

export const GOOGLE_SETTINGS = {
  client_id: optional('CAPSTAN_GOOGLE_CLIENT_ID', {
    description:
      'Client id of an OAuth web client at Google. Its redirect URI is PUBLIC_URL with /api/auth/google/callback.',
  }),
  client_secret: optional('CAPSTAN_GOOGLE_CLIENT_SECRET', { description: 'Secret of that client.', secret: true }),
  issuer: issuer(
    'CAPSTAN_GOOGLE_ISSUER',
    'https://accounts.google.com',
    'The OpenID provider behind the Google sign-in. Outside production it may be one on this machine.',
  ),
} as const;
