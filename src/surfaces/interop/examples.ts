import type { ServerResponse } from '#surfaces/servers/shapes.ts';

/** Examples of the contract. */

export const SERVER_EXAMPLE: ServerResponse = {
  server: {
    name: 'example.weather/forecast',
    title: 'Weather',
    description: 'Forecasts and warnings for any place on earth.',
    version: '1.2.0',
    remotes: [{ type: 'streamable-http', url: 'https://mcp.weather.example/mcp' }],
  },
  _meta: {
    'io.modelcontextprotocol.registry/official': {
      status: 'active',
      publishedAt: '2026-01-02T03:04:05.000Z',
      updatedAt: '2026-04-13T17:33:26.613Z',
      isLatest: true,
    },
    'com.example.capstan/custom': {
      provider_id: 'mcp-registry',
      external_id: 'example.weather/forecast',
      downloads: 0,
      stars: 0,
      verification: { level: 'listed', looked_at: ['record'], findings: [], upstream: [] },
      flagged: false,
    },
  },
};

export const ARCHIVE_EXAMPLE = {
  name: 'json-diff',
  type: 'archive',
  description: 'Compare two JSON documents and return the differences as an RFC 6902 JSON Patch.',
  url: '/.well-known/agent-skills/json-diff/skill.tar.gz',
  digest: 'sha256:9d4e1f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6',
} as const;

export const FOUND_EXAMPLE = { id: 'ann/kit/json-tools', name: 'json-tools', source: 'ann/kit', installs: 1200 };

export const CARD_EXAMPLE = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: 'com.example.capstan/capstan',
  title: 'Capstan',
  version: '0.1.0',
  description: 'Find, connect, run and prove agent capabilities.',
  websiteUrl: 'https://capstan.example.com/',
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://capstan.example.com/mcp/jsonrpc',
      supportedProtocolVersions: ['2025-11-25', '2026-07-28'],
    },
  ],
} as const;

export const PLUGIN_EXAMPLE = {
  name: 'code-review',
  source: { source: 'github', repo: 'ann/code-review' },
  description: 'Reviews a change before it is merged.',
};

export const FEED_EXAMPLE = {
  version: 'https://jsonfeed.org/version/1.1',
  title: 'Capstan: new listings',
  home_page_url: 'https://capstan.example.com/',
  feed_url: 'https://capstan.example.com/feeds/new.json',
  items: [
    {
      id: 'https://capstan.example.com/api/marketplace/registry/mcp-registry/example.weather/forecast',
      url: 'https://capstan.example.com/api/marketplace/registry/mcp-registry/example.weather/forecast',
      title: 'Weather 1.2.0',
      content_text: 'Forecasts and warnings for any place on earth.',
      date_published: '2026-01-02T03:04:05.000Z',
      date_modified: '2026-01-02T03:04:05.000Z',
      authors: [{ name: 'example.weather' }],
      tags: ['server', 'mcp-registry'],
    },
  ],
};
