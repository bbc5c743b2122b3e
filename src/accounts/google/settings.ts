import { optional, type Setting, text } from '#core/config/config.ts';
import { isLoopbackHost } from '#core/outbound/loopback.ts';

const issuer = (name: string, fallback: string, description: string): Setting<string> => ({
  ...text(name, fallback, { description }),
  form: 'an https URL, or an http URL on a loopback address',
  parse: (value) => {
    const url = URL.parse(value);
    const isLoopback = url?.protocol === 'http:' && isLoopbackHost(url.hostname);
    if (url === null || (url.protocol !== 'https:' && !isLoopback))
      throw new Error('must be an https URL, or an http URL on a loopback address');
    if (url.search !== '' || url.hash !== '') throw new Error('must not have a query or fragment');
    return value;
  },
});

export const GOOGLE_SETTINGS = {
  client_id: optional('CAPSTAN_GOOGLE_CLIENT_ID', {
    description:
      'Client ID of a Google OAuth web client. Register PUBLIC_URL followed by /api/auth/google/callback ' +
      'as its redirect URI.',
  }),
  client_secret: optional('CAPSTAN_GOOGLE_CLIENT_SECRET', {
    description: 'Client secret of the Google OAuth client.',
    secret: true,
  }),
  issuer: issuer(
    'CAPSTAN_GOOGLE_ISSUER',
    'https://accounts.google.com',
    'OpenID Connect issuer for Google sign-in. Outside production, it may be a local one.',
  ),
} as const;
