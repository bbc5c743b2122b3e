import ipaddr from 'ipaddr.js';
import { type Check, type Finding, fail, ok, warn } from '#core/doctor/check.ts';
import { askHealth, losesHost } from './ask-health.ts';

/** Checks that PUBLIC_URL leads to this service and that a proxy in front passes on client addresses. */

export interface PublicUrlCheckDeps {
  public_url: string | null;
  trusted_proxies: readonly string[];
  /** Instance id of the configured database; null if unknown. */
  instance: string | null;
  production: boolean;
}

export const publicUrlCheck = (deps: PublicUrlCheckDeps): Check => ({
  name: 'PUBLIC_URL',
  run: async (signal) => {
    const { public_url, production } = deps;
    if (public_url === null)
      return production
        ? [
            warn(
              'Not set: links in emails, tokens and receipts use HOST and PORT, and requests for other ' +
                'host names are rejected.',
              'PUBLIC_URL=https://capstan.example.org',
            ),
          ]
        : [ok('Not set: the service is local.')];
    const plain = production && new URL(public_url).protocol === 'http:';
    const scheme = plain
      ? [
          fail(
            `${public_url} is not https: tokens and cookies are sent unencrypted.`,
            `Set PUBLIC_URL=${public_url.replace('http:', 'https:')} and terminate TLS in a proxy`,
          ),
        ]
      : [];
    const found = await reached(deps, public_url, signal);
    const host = found.level === 'ok' ? await keepsHost(public_url, signal) : [];
    return [...scheme, found, ...host, ...proxies(deps, public_url)];
  },
});

async function reached({ instance }: PublicUrlCheckDeps, url: string, signal: AbortSignal): Promise<Finding> {
  const said = await askHealth(url, signal);
  switch (said.kind) {
    case 'nobody':
      return warn(
        `From here ${said.why}`,
        `Once the service is running: curl -i ${url}/healthz, from this host and from elsewhere`,
      );
    case 'redirect':
      return fail(`${url} redirects elsewhere.`, `Set PUBLIC_URL to where it leads: curl -sI ${url}/healthz`);
    case 'other':
      return said.status >= 502 && said.status <= 504
        ? warn(
            `The proxy at ${url} cannot reach the service (${said.status}).`,
            'Start the service, and check that the proxy uses its HOST and PORT',
          )
        : fail(
            `The server at ${url} is not Capstan (${said.status}).`,
            `Route ${url}/ with all paths to the service: curl -i ${url}/healthz`,
          );
    case 'ours':
      return instance === null || said.instance === instance
        ? ok(
            `${url} reaches ${instance === null ? 'a Capstan service' : 'the service of this database'}, ` +
              `version ${said.version}.`,
          )
        : fail(
            `${url} reaches a Capstan service with another database.`,
            'Route PUBLIC_URL to this service, or use the settings of the other one',
          );
  }
}

async function keepsHost(publicUrl: string, signal: AbortSignal): Promise<Finding[]> {
  if (!(await losesHost(publicUrl, signal))) return [];
  return [
    fail(
      'The proxy changes the Host header, so the service rejects requests (421).',
      'Configure the proxy to forward Host, such as proxy_set_header Host $http_host; or add the host it ' +
        'sends to CAPSTAN_ALLOWED_HOSTS',
    ),
  ];
}

/** Behind a proxy that terminates TLS and is not trusted, all clients seem to have one address. */
function proxies({ trusted_proxies, production }: PublicUrlCheckDeps, publicUrl: string): Finding[] {
  if (trusted_proxies.some(isAll))
    return [
      fail(
        'CAPSTAN_TRUSTED_PROXIES includes every address: any client can spoof its address.',
        'Set CAPSTAN_TRUSTED_PROXIES to the addresses of the proxies only',
      ),
    ];
  if (trusted_proxies.length > 0) return [ok(`X-Forwarded-For is trusted from ${trusted_proxies.join(', ')} only.`)];
  return production && publicUrl.startsWith('https:')
    ? [
        warn(
          'A proxy terminates TLS, but CAPSTAN_TRUSTED_PROXIES is not set: all clients share one rate limit.',
          "Set CAPSTAN_TRUSTED_PROXIES to the proxy's address, such as 127.0.0.1, and let the proxy append " +
            'to X-Forwarded-For',
        ),
      ]
    : [];
}

const isAll = (range: string): boolean => range.includes('/') && ipaddr.parseCIDR(range)[1] === 0;
