import { browserOf, sealForm } from '#accounts/consent/form-seal.ts';
import type { PageDeps } from '#accounts/oauth/deps.ts';
import { REDIRECT_URI, testClient } from './authorization-client.ts';

/** Deps for the pages without a database: nobody is signed in, and one client is known. */

export const PAGES_URL = 'https://capstan.example';

export const pageDeps = (more: object = {}): PageDeps =>
  ({
    base_url: PAGES_URL,
    clock: { now: () => 0 },
    count: () => {},
    database: { db: null },
    findClient: async (id: string) => ({ id, name: 'Editor', host: 'editor.example', redirect_uris: [REDIRECT_URI] }),
    config: { google: { client_id: null, client_secret: null, issuer: 'https://accounts.example' } },
    ...more,
  }) as unknown as PageDeps;

export const QUERY = testClient(async () => new Response(), 'https://editor.example/client.json').query({ state: 's' });
const written = (): string => `${new URLSearchParams(QUERY)}`;
const cookie = `__Host-capstan-page=${'a'.repeat(43)}`;

/** A form as the page would have it, sent from `origin` by a browser. */
export function form(purpose: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const seal = sealForm(browserOf(PAGES_URL, { cookie }), { purpose, written: written() }, 0);
  return {
    body: { request: written(), seal, ...fields },
    headers: { accept: 'text/html', origin: PAGES_URL, cookie, ...headers },
    caller: null,
  } as never;
}
