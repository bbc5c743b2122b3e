import { MCP_PATH } from '#accounts/auth/resources.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { SERVICE } from '#core/service.ts';
import { shortened } from '#surfaces/interop/shown-text.ts';
import type { InteropSite } from '#surfaces/interop/site.ts';
import type { documentsContract } from './contract.ts';

/**
 * GET /mcp/jsonrpc/server-card: describes the MCP endpoint before a client connects. The endpoint itself lists its
 * tools.
 */
export const getServerCard =
  ({ base_url, reverse_domain }: InteropSite): Handler<typeof documentsContract.getServerCard> =>
  () =>
    json(
      {
        $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
        name: `${reverse_domain}/${SERVICE.name}`,
        title: SERVICE.title,
        version: SERVICE.version,
        description: shortened(SERVICE.description, 100),
        websiteUrl: `${base_url}/`,
        remotes: [
          { type: 'streamable-http', url: base_url + MCP_PATH, supportedProtocolVersions: SERVICE.mcp_versions },
        ],
      },
      { media_type: 'application/mcp-server-card+json', cache_control: 'public, max-age=300' },
    );
