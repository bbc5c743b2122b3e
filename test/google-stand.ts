import type { AppOptions } from '#app/app.ts';
import { type Browser, createBrowser } from './fakes/browser.ts';
import { type OpenIdProvider, startOpenIdProvider } from './fakes/openid-provider.ts';
import { freePort } from './free-port.ts';
import { openWorld, type World } from './world.ts';

/** The real app over HTTP, a real OpenID provider, and a browser between them. */
interface GoogleStand extends AsyncDisposable {
  world: World;
  url: string;
  provider: OpenIdProvider;
  /** Begins a flow in this browser. */
  start(browser: Browser, body?: object, path?: string, headers?: Record<string, string>): Promise<Response>;
  /** Begins a flow and goes through the provider's pages; answers the callback's address, not opened yet. */
  goThrough(browser: Browser, body?: object, path?: string, headers?: Record<string, string>): Promise<string>;
  /** The whole of it. */
  signIn(browser?: Browser, body?: object): Promise<Response>;
}

export async function openGoogleStand(
  env: Record<string, string> = {},
  role?: AppOptions['role'],
): Promise<GoogleStand> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const callback = `${url}/api/auth/google/callback`;
  const provider = await startOpenIdProvider(callback);
  const world = await openWorld({ PORT: `${port}`, PUBLIC_URL: url, ...settingsFor(provider), ...env }, role);
  await world.listen();
  const start: GoogleStand['start'] = (browser, body = {}, path = '/api/auth/google/start', headers = {}) =>
    browser.send(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const goThrough: GoogleStand['goThrough'] = async (browser, ...rest) => {
    const answer = await start(browser, ...rest);
    if (answer.status !== 200) throw new Error(await answer.text());
    const { authorization_url } = (await answer.json()) as { authorization_url: string };
    // A person chooses the account; the provider does not go on with the last one.
    browser.cookies(provider.url).clear();
    return (await browser.visit(authorization_url, callback)).url;
  };
  return {
    world,
    url,
    provider,
    start,
    goThrough,
    signIn: async (browser = createBrowser(), body = {}) => browser.send(await goThrough(browser, body)),
    [Symbol.asyncDispose]: async () => {
      await world.close();
      await provider.close();
    },
  };
}

export const settingsFor = (provider: OpenIdProvider): Record<string, string> => ({
  CAPSTAN_GOOGLE_CLIENT_ID: provider.client_id,
  CAPSTAN_GOOGLE_CLIENT_SECRET: provider.client_secret,
  CAPSTAN_GOOGLE_ISSUER: provider.url,
});
