import { itemPath } from '#catalog/items/item-path.ts';
import type { DiscoveredAgent, DiscoveredProtocol, DiscoveredTool, HotList } from './shapes.ts';

/** The examples of the contract. */

export const TOOL_EXAMPLE: DiscoveredTool = {
  name: 'forecast',
  title: 'Forecast',
  description: 'Weather forecast for a place.',
  input_schema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  server: {
    id: 'mcp-registry/example.weather/forecast',
    name: 'weather',
    url: 'https://weather.example/mcp',
    protocol_version: '2025-11-25',
    listings: [itemPath('mcp-registry', 'example.weather/forecast')],
  },
  call: {
    protocol: 'mcp',
    endpoint: 'https://weather.example/mcp',
    method: 'tools/call',
    params: { name: 'forecast' },
  },
  auth: 'none',
  status: 'ok',
  last_seen_at: '2026-04-14T06:00:00.000Z',
  capability: { kind: 'listing', ref: 'mcp-registry/example.weather/forecast' },
};

export const AGENT_EXAMPLE: DiscoveredAgent = {
  id: 'core-agent',
  name: 'Core agent',
  description: 'Finds a capability for your request and runs it.',
  endpoint: '/api/agents/core-agent/chat',
  skills: ['json-diff'],
  status: 'available',
  card_url: null,
};

export const PROTOCOL_EXAMPLE: DiscoveredProtocol = {
  name: 'mcp',
  title: 'Model Context Protocol',
  versions: ['2025-11-25', '2026-07-28'],
  endpoint: '/mcp/jsonrpc',
  status: 'available',
};

export const HOT_EXAMPLE: HotList = {
  items: [
    {
      capability: {
        kind: 'skill',
        ref: 'json-diff',
        name: 'json-diff',
        description: 'Compare two JSON documents.',
        url: '/api/skills/json-diff',
      },
      score: 1.734,
      level: 'ran',
      runs: 12,
      success_rate: 0.9167,
      callers: 3,
      trend: [0, 1, 0, 4, 2, 0, 5],
    },
  ],
  window: { days: 7, from: '2026-04-08T00:00:00.000Z', to: '2026-04-15T00:00:00.000Z' },
};
