import { CAPABILITY_EXAMPLE } from './examples-capability.ts';

/** Examples of the search. */

export const SEARCH_EXAMPLE = {
  items: [
    {
      ...CAPABILITY_EXAMPLE,
      score: 1.4213,
      copies: 0,
      resembles: null,
      tool: 'query',
      highlights: [
        { field: 'name', ranges: [[0, 8]] },
        { field: 'description', ranges: [[20, 28]] },
      ],
    },
  ],
  total_count: 1,
  with_copies: 1,
  limit: 10,
  offset: 0,
  facets: {
    provider: [
      { value: 'mcp-registry', count: 1 },
      { value: 'smithery', count: 1 },
    ],
    listing_type: [{ value: 'server', count: 1 }],
    execution_class: [{ value: 'mcp', count: 1 }],
    tag: [{ value: 'database', count: 1 }],
    verified: [{ value: false, count: 1 }],
    availability: [{ value: 'runs', count: 1 }],
    confirmed: [{ value: false, count: 1 }],
    level: [
      { value: 'listed', count: 1 },
      { value: 'checked', count: 1 },
      { value: 'ran', count: 1 },
    ],
    license: [{ value: 'mit', count: 1 }],
    category: [{ value: 'databases', count: 1 }],
    updated: [{ value: '365d', count: 1 }],
  },
  corrected: [],
  translated: [],
  unmatched: [],
  not_linked: 0,
};

export const STATS_EXAMPLE = {
  capabilities: 31_870,
  listings: 35_182,
  not_linked: 0,
  publishers: 12,
  runs_24h: 340,
  verified: 95,
  by_listing_type: { skill: 16_900, server: 14_100, harness: 860, rig: 10 },
  by_execution_class: { prompt: 14_000, scripted: 3_700, mcp: 14_170 },
  by_provider: {
    capstan: 30,
    'mcp-registry': 9_170,
    smithery: 3_910,
    glama: 3_100,
    docker: 250,
    clawhub: 14_990,
    'skills-sh': 2_850,
    'claude-plugins': 700,
    'gemini-extensions': 187,
  },
  by_level: { listed: 31_600, checked: 175, ran: 70, reproduced: 5, used: 20 },
};
