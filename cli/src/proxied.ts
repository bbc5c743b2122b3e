import { EnvHttpProxyAgent, fetch } from 'undici';

type Env = Record<string, string | undefined>;

/** `fetch` by way of the proxies that the environment names: every Node that we run on knows them only by a flag, or not. */
export function proxiedFetch(env: Env): (url: string, init?: RequestInit) => Promise<Response> {
  const dispatcher = agentOf(env);
  return async (url, init) => (await fetch(url, { ...(init as object), dispatcher })) as unknown as Response;
}

/** This machine is never reached through another one. */
const LOOPBACK = 'localhost,127.0.0.1,[::1]';

function agentOf(env: Env): EnvHttpProxyAgent {
  const of = (name: string): string => env[name.toLowerCase()] || env[name] || '';
  try {
    return new EnvHttpProxyAgent({
      httpProxy: addressOf(of('HTTP_PROXY')),
      httpsProxy: addressOf(of('HTTPS_PROXY')),
      noProxy: `${of('NO_PROXY')},${LOOPBACK}`,
    });
  } catch {
    // Without its value, which may hold a password.
    throw new Error('HTTP_PROXY or HTTPS_PROXY is not a valid proxy URL, such as http://proxy.example:3128');
  }
}

/** `proxy:3128` is common. */
const addressOf = (text: string): string => (text === '' || text.includes('://') ? text : `http://${text}`);
