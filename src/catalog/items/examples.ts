import type { Item } from './item.ts';
import type { ItemDetail } from './item-detail.ts';

/** Examples in the contract: one listing in each form. */

export const ITEM_EXAMPLE: Item = {
  name: 'weather',
  description: 'Forecasts and warnings for any place on earth.',
  version: '1.4.0',
  author: 'Example Weather Office',
  homepage: 'https://weather.example',
  downloads: 1520,
  stars: 87,
  tags: ['remote', 'weather'],
  source: 'mcp-registry',
  listing_type: 'server',
  external_id: 'example.weather/forecast',
  provider_id: 'mcp-registry',
  external_updated_at: '2026-04-13T17:33:26.613Z',
  execution_class: 'mcp',
};

export const DETAIL_EXAMPLE: ItemDetail = {
  ...ITEM_EXAMPLE,
  title: 'Weather forecast',
  icons: [{ src: 'https://weather.example/icon.png', mimeType: 'image/png', sizes: ['64x64'] }],
  icon: null,
  status: { status: 'active' },
  published_at: '2026-01-02T03:04:05.000Z',
  versions: [{ version: '1.2.0', published_at: '2026-01-02T03:04:05.000Z', changes: '' }],
  readme: null,
  readme_url: null,
  skill_md: null,
  files: null,
  file_count: null,
  needs: null,
  details: {
    state: 'complete',
    detail: 'Fetched.',
    fetched_at: '2026-04-14T00:00:05.000Z',
    next_at: '2026-05-14T00:00:05.000Z',
  },
  license: 'MIT',
  license_url: null,
  repository: 'https://git.example/weather/forecast',
  install: { remotes: [{ type: 'streamable-http', url: 'https://weather.example/mcp' }] },
  installs: {
    command: '',
    name: 'weather',
    clients: [
      {
        client: 'claude-code',
        title: 'Claude Code',
        link: '',
        command: 'claude mcp add --transport http weather https://weather.example/mcp',
        config: {
          format: 'json',
          user_file: '.claude.json',
          project_file: '.mcp.json',
          key: 'mcpServers',
          value: { type: 'http', url: 'https://weather.example/mcp' },
        },
      },
    ],
  },
  servers: [{ remote: 0, package: null, title: 'https://weather.example/mcp', inputs: [], hosts: [] }],
  manifest: null,
  first_seen_at: '2026-01-02T03:04:05.000Z',
  last_seen_at: '2026-04-14T00:00:00.000Z',
  removed_at: null,
  reported: { downloads: true, stars: true, updated_at: true },
  capability_id: null,
  verification: {
    level: 'ran',
    verified: false,
    looked_at: ['record', 'tools', 'runs'],
    since: '2026-04-02T10:00:00.000Z',
    expires_at: '2026-07-12T08:30:00.000Z',
    checked_at: '2026-04-13T18:00:00.000Z',
    receipts: 7,
    findings: [],
    upstream: [],
    evidence: '/api/marketplace/proof/listing/mcp-registry/example.weather/forecast',
  },
  runnable: {
    reason: 'ok',
    detail: 'The server responded with 1 tool.',
    checked_at: '2026-04-14T06:00:00.000Z',
    last_seen_at: '2026-04-14T06:00:00.000Z',
    protocol_version: '2025-11-25',
    tool_count: 1,
    tools_hash: 'sha256:1f3c9c0a5d6b7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f607',
    package: null,
  },
  tools: [
    {
      name: 'forecast',
      title: 'Forecast',
      description: 'Weather forecast for a place.',
      input_schema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
  ],
  tool_changes: [
    {
      changed_at: '2026-04-14T06:00:00.000Z',
      from_version: '1.3.0',
      version: '1.4.0',
      added: [],
      removed: [],
      renamed: [{ from: 'get_forecast', to: 'forecast' }],
      changed: [],
      omitted: 0,
    },
  ],
  links: {
    self: '/api/marketplace/registry/mcp-registry/example.weather/forecast',
    markdown: '/api/marketplace/registry/mcp-registry/example.weather/forecast/md',
  },
};

const TOMBSTONE_EXAMPLE = {
  provider_id: 'mcp-registry',
  external_id: 'example.gone/server',
  removed_at: '2026-04-14T00:00:00.000Z',
  seq: 17,
};

/** Two lines of an export. */
export const LINES_EXAMPLE = [ITEM_EXAMPLE, TOMBSTONE_EXAMPLE].map((entry) => `${JSON.stringify(entry)}\n`).join('');
