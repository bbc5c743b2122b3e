import { AskedModels } from '#catalog/search/answer/aided-shape.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { AGENT_EXAMPLE, HOT_EXAMPLE, PROTOCOL_EXAMPLE, TOOL_EXAMPLE } from './examples.ts';
import { DiscoveredAgent, DiscoveredProtocol, DiscoveredTool, HotList } from './shapes.ts';

/** What can be called now, and with which protocol. */

export const ToolPage = pageOf(DiscoveredTool);
const Agents = Type.Object({ items: Type.Array(DiscoveredAgent) });
const Protocols = Type.Object({ items: Type.Array(DiscoveredProtocol) });

const TOOLS_EXAMPLE = { items: [TOOL_EXAMPLE], total_count: 1, limit: 50, offset: 0 };
const ALL_EXAMPLE = {
  tools: TOOLS_EXAMPLE,
  more_tools: null,
  agents: { items: [AGENT_EXAMPLE] },
  protocols: { items: [PROTOCOL_EXAMPLE] },
  generated_at: '2026-04-14T06:00:05.000Z',
};

export const discoveryContract = {
  listTools: operation({
    id: 'surfaces.discovery.listTools',
    method: 'GET',
    path: '/api/discovery/tools',
    summary: 'Discover callable tools',
    description:
      'MCP tools of this service, then built-in skills, which run as tasks, then tools of listed ' +
      'servers. `call` is the request to make. Tools of other servers come from the last probe. Probes are off by default. A host ' +
      'is probed at most once a day, and when a reader asks. Responses may be cached for a few seconds.',
    access: 'public',
    query: Type.Object({
      search: Type.Optional(
        Type.String({
          maxLength: 200,
          description:
            'What the tool should do, in a few words: best match first, by name, title, description and arguments. ' +
            'Without it, tools are in order of their names.',
        }),
      ),
      server: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2_100,
          description:
            '`capstan` for the MCP endpoint of this service, `capstan/skills`, or `provider/external_id` of a listing.',
        }),
      ),
      ...pageQuery('Tools'),
      explain: Type.Optional(Type.Enum(['1', '0'], { description: '`1`: explains the order of a search.' })),
    }),
    examples: { search: 'weather', server: 'capstan', limit: 50, offset: 0, explain: '0' },
    answers: {
      200: jsonAnswer(
        'One page of tools. `Link` points to the next and previous page.',
        Type.Object({ ...ToolPage.properties, models: Type.Optional(AskedModels) }),
        TOOLS_EXAMPLE,
      ),
    },
    problems: ['http.unavailable'],
  }),
  listAgents: operation({
    id: 'surfaces.discovery.listAgents',
    method: 'GET',
    path: '/api/discovery/agents',
    summary: 'Discover agents',
    description: 'The agents of this service with endpoint and availability.',
    access: 'public',
    answers: {
      200: jsonAnswer('All agents.', Agents, { items: [AGENT_EXAMPLE] }),
    },
    problems: [],
  }),
  listProtocols: operation({
    id: 'surfaces.discovery.listProtocols',
    method: 'GET',
    path: '/api/discovery/protocols',
    summary: 'Discover protocols',
    description: 'The open protocols that this service supports, with versions and endpoints.',
    access: 'public',
    answers: {
      200: jsonAnswer('All protocols.', Protocols, { items: [PROTOCOL_EXAMPLE] }),
    },
    problems: [],
  }),
  getAll: operation({
    id: 'surfaces.discovery.getAll',
    method: 'GET',
    path: '/api/discovery/all',
    summary: 'Discover tools, agents and protocols',
    description:
      'The first 100 tools, and all agents and protocols, in one response. `tools.total_count` counts all tools, and ' +
      '`more_tools` is the path of the next page.',
    access: 'public',
    answers: {
      200: jsonAnswer(
        'Tools, agents and protocols.',
        Type.Object({
          tools: ToolPage,
          more_tools: Type.Union([Type.String(), Type.Null()], {
            description: 'Where the tools after the first page are; null if `tools` has all of them.',
          }),
          agents: Agents,
          protocols: Protocols,
          generated_at: Type.String({ format: 'date-time', description: 'When the response was generated.' }),
        }),
        ALL_EXAMPLE,
      ),
    },
    problems: [],
  }),
  listHot: operation({
    id: 'surfaces.discovery.listHot',
    method: 'GET',
    path: '/api/discovery/hot',
    summary: 'Discover trending capabilities',
    description:
      'Skills and listings by hot score, computed only from receipts of runs on this service, ' +
      'at most one per account and day, excluding runs of the publisher. A call over a connection created from a ' +
      'listing counts for that listing; other connections are private. Responses may be cached for ten seconds.',
    access: 'public',
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of results.' }),
    }),
    examples: { limit: 50 },
    answers: {
      200: jsonAnswer('Highest score first.', HotList, HOT_EXAMPLE),
    },
    problems: [],
  }),
};
