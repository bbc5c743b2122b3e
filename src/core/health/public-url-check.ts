import ipaddr from 'ipaddr.js';
import { type Check, type Finding, fail, ok, warn } from '#core/doctor/check.ts';
import { askHealth, losesHost } from './ask-health.ts';

/** Whether PUBLIC_URL leads here, and whether clients are told apart behind what stands in front. */

export interface PublicUrlCheckDeps {
  public_url: string | null;
  trusted_proxies: readonly string[];
  /** Of the database that the settings name; null where it is not known. */
  instance: string | null;
  production: boolean;
}

export const publicUrlCheck = (deps: PublicUrlCheckDeps): Check => ({
  name: 'PUBLIC_URL',
  look: async (signal) => {
    const { public_url, production } = deps;
    if (public_url === null)
      return production
        ? [
            warn(
              'Not set: links in mails, tokens and receipts name HOST and PORT, and requests for a host name are refused.',
              'PUBLIC_URL=https://capstan.example.org',
            ),
          ]
        : [ok('Not set: the service is for this machine.')];
    const plain = production && new URL(public_url).protocol === 'http:';
    const scheme = plain
      ? [
          fail(
            `${public_url} is not https: tokens and cookies go over the network for all to read.`,
            `PUBLIC_URL=${public_url.replace('http:', 'https:')}, and let a proxy end TLS`,
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
      return warn(`From here ${said.why}`, `Once the service runs: curl -i ${url}/healthz, here and elsewhere`);
    case 'redirect':
      return fail(`${url} leads elsewhere by a redirect.`, `Set PUBLIC_URL to where it leads: curl -sI ${url}/healthz`);
    case 'other':
      return said.status >= 502 && said.status <= 504
        ? warn(
            `The proxy at ${url} gets no answer from the service (${said.status}).`,
            'Start the service, and see that the proxy names its HOST and PORT',
          )
        : fail(
            `What answers at ${url} is no Capstan (${said.status}).`,
            `Lead ${url}/ with all its paths to the service: curl -i ${url}/healthz`,
          );
    case 'ours':
      return instance === null || said.instance === instance
        ? ok(
            `${url} is answered by ${instance === null ? 'a Capstan' : 'the service of this database'}, version ${said.version}.`,
          )
        : fail(
            `${url} is answered by a Capstan on another database.`,
            'Lead PUBLIC_URL here, or use the settings of the service that is meant',
          );
  }
}

async function keepsHost(public_url: string, signal: AbortSignal): Promise<Finding[]> {
  if (!(await losesHost(public_url, signal))) return [];
  return [
    fail(
      'The proxy in front passes on another Host than it got, which the service refuses (421).',
      'Have the proxy pass it on, such as proxy_set_header Host $http_host; or name the one it sends in CAPSTAN_ALLOWED_HOSTS',
    ),
  ];
}

/** Who ends TLS in front of a service that speaks plain http hides every client behind one address. */
function proxies({ trusted_proxies, production }: PublicUrlCheckDeps, public_url: string): Finding[] {
  if (trusted_proxies.some(isAll))
    return [
      fail(
        'CAPSTAN_TRUSTED_PROXIES holds every address: any client can claim to be another one.',
        "CAPSTAN_TRUSTED_PROXIES with the proxies' own addresses alone",
      ),
    ];
  if (trusted_proxies.length > 0) return [ok(`X-Forwarded-For is believed of ${trusted_proxies.join(', ')} alone.`)];
  return production && public_url.startsWith('https:')
    ? [
        warn(
          'A proxy ends TLS in front, and CAPSTAN_TRUSTED_PROXIES is not set: all clients count as one against the limits.',
          "CAPSTAN_TRUSTED_PROXIES with the proxy's address, such as 127.0.0.1; the proxy appends to X-Forwarded-For",
        ),
      ]
    : [];
}

const isAll = (range: string): boolean => range.includes('/') && ipaddr.parseCIDR(range)[1] === 0;
