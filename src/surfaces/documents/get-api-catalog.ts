import { MCP_PATH } from '#accounts/auth/resources.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { A2A_PATH, CARD_PATH } from '#surfaces/a2a/paths.ts';
import { type InteropSite, offers } from '#surfaces/interop/site.ts';
import type { documentsContract } from './contract.ts';

/** GET /.well-known/api-catalog: the APIs of this host and their descriptions (RFC 9727, RFC 9264). */
export const getApiCatalog =
  (site: InteropSite): Handler<typeof documentsContract.getApiCatalog> =>
  () => {
    const link = (path: string, type: string) => ({ href: site.base_url + path, type });
    const api = {
      anchor: `${site.base_url}/api`,
      'service-desc': [link('/api/schema', 'application/yaml')],
      'service-doc': [
        link('/docs', 'text/html'),
        link('/api/docs.md', 'text/markdown'),
        link('/llms.txt', 'text/plain'),
      ],
      'service-meta': [link('/.well-known/ai-catalog.json', 'application/ai-catalog+json')],
      status: [link('/readyz', 'application/json')],
    };
    const mcp = {
      anchor: site.base_url + MCP_PATH,
      'service-desc': [link(`${MCP_PATH}/server-card`, 'application/mcp-server-card+json')],
    };
    const agent = {
      anchor: site.base_url + A2A_PATH,
      'service-desc': [link(CARD_PATH, 'application/json')],
    };
    const servers = {
      anchor: `${site.base_url}/v0.1/servers`,
      'service-desc': [link('/api/schema', 'application/yaml')],
    };
    const linkset = [
      api,
      ...(offers(site, MCP_PATH) ? [mcp] : []),
      ...(offers(site, CARD_PATH) ? [agent] : []),
      servers,
    ];
    return json(
      { linkset },
      {
        media_type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
        cache_control: 'public, max-age=300',
        headers: { link: '</.well-known/api-catalog>; rel="api-catalog"' },
      },
    );
  };
