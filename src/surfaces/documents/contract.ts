import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { CARD_EXAMPLE, PLUGIN_EXAMPLE } from '#surfaces/interop/examples.ts';
import { webContract } from './contract-web.ts';

/** Documents that describe this host to agents and clients. Standards define their formats. */

const Link = Type.Object({ href: Type.String(), type: Type.String() });
const Links = Type.Optional(Type.Array(Link));

export const documentsContract = {
  ...webContract,
  getServerCard: operation({
    id: 'surfaces.documents.getServerCard',
    method: 'GET',
    path: '/mcp/jsonrpc/server-card',
    also: ['/.well-known/mcp/server-card.json'],
    summary: 'Get the MCP server card',
    description: 'Identity and protocol versions of the MCP endpoint, available before connecting.',
    access: 'public',
    answers: {
      200: {
        description: 'The card.',
        content: {
          'application/mcp-server-card+json': {
            schema: Type.Object({
              $schema: Type.String(),
              name: Type.String(),
              title: Type.String(),
              version: Type.String(),
              description: Type.String({ maxLength: 100 }),
              websiteUrl: Type.String(),
              remotes: Type.Array(
                Type.Object({
                  type: Type.Literal('streamable-http'),
                  url: Type.String(),
                  supportedProtocolVersions: Type.Array(Type.String()),
                }),
              ),
            }),
            example: CARD_EXAMPLE,
          },
        },
      },
    },
    problems: [],
  }),
  getAiCatalog: operation({
    id: 'surfaces.documents.getAiCatalog',
    method: 'GET',
    path: '/.well-known/ai-catalog.json',
    summary: 'Get the AI catalog',
    description: 'The MCP server, API and skills of this host, each with a link to its description.',
    access: 'public',
    answers: {
      200: {
        description: 'The catalog.',
        content: {
          'application/ai-catalog+json': {
            schema: Type.Object({
              specVersion: Type.Literal('1.0'),
              host: Type.Object({ displayName: Type.String() }),
              entries: Type.Array(
                Type.Object({
                  identifier: Type.String({ pattern: '^urn:air:' }),
                  displayName: Type.String(),
                  description: Type.Optional(Type.String()),
                  type: Type.String(),
                  url: Type.String(),
                }),
              ),
            }),
            example: {
              specVersion: '1.0',
              host: { displayName: 'Capstan' },
              entries: [
                {
                  identifier: 'urn:air:capstan.example.com:mcp:capstan',
                  displayName: 'Capstan over MCP',
                  type: 'application/mcp-server-card+json',
                  url: 'https://capstan.example.com/mcp/jsonrpc/server-card',
                },
              ],
            },
          },
        },
      },
    },
    problems: [],
  }),
  getApiCatalog: operation({
    id: 'surfaces.documents.getApiCatalog',
    method: 'GET',
    path: '/.well-known/api-catalog',
    summary: 'Get the API catalog',
    description: 'A linkset (RFC 9727) of the interfaces of this host and their descriptions.',
    access: 'public',
    answers: {
      200: {
        description: 'The links.',
        content: {
          'application/linkset+json': {
            schema: Type.Object({
              linkset: Type.Array(
                Type.Object({
                  anchor: Type.String(),
                  'service-desc': Links,
                  'service-doc': Links,
                  'service-meta': Links,
                  status: Links,
                }),
              ),
            }),
            example: {
              linkset: [
                {
                  anchor: 'https://capstan.example.com/api',
                  'service-desc': [{ href: 'https://capstan.example.com/api/schema', type: 'application/yaml' }],
                },
              ],
            },
          },
        },
      },
    },
    problems: [],
  }),
  getPluginMarketplace: operation({
    id: 'surfaces.documents.getPluginMarketplace',
    method: 'GET',
    path: '/marketplace.json',
    also: ['/.claude-plugin/marketplace.json'],
    summary: 'Get the plugin marketplace for Claude Code',
    description:
      'Add it with `/plugin marketplace add <host>/marketplace.json`, then `/plugin install <name>@capstan`. Plugins are ' +
      'fetched from the source in their marketplace. Not verified.',
    access: 'public',
    answers: {
      200: jsonAnswer(
        'The marketplace.',
        Type.Object({
          name: Type.String(),
          owner: Type.Object({ name: Type.String() }),
          metadata: Type.Object({ description: Type.String() }),
          plugins: Type.Array(
            Type.Object(
              { name: Type.String(), source: Type.Record(Type.String(), Type.String()) },
              { additionalProperties: true },
            ),
          ),
        }),
        {
          name: 'capstan',
          owner: { name: 'Capstan' },
          metadata: { description: 'Plugins of the marketplaces that this service syncs. Not verified.' },
          plugins: [PLUGIN_EXAMPLE],
        },
      ),
    },
    problems: [],
  }),
} as const;
