import { operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { AGENT_EXAMPLE, HOT_EXAMPLE, PROTOCOL_EXAMPLE, TOOL_EXAMPLE } from './examples.ts';
import { DiscoveredAgent, DiscoveredProtocol, DiscoveredTool, HotList } from './shapes.ts';

/** What can be called now, and through which open contract. */

export const ToolPage = pageOf(DiscoveredTool);
export const Agents = Type.Object({ items: Type.Array(DiscoveredAgent) });
export const Protocols = Type.Object({ items: Type.Array(DiscoveredProtocol) });

const TOOLS_EXAMPLE = { items: [TOOL_EXAMPLE], total_count: 1, limit: 50, offset: 0 };
const ALL_EXAMPLE = {
  tools: TOOLS_EXAMPLE,
  agents: { items: [AGENT_EXAMPLE] },
  protocols: { items: [PROTOCOL_EXAMPLE] },
  generated_at: '2026-04-14T06:00:05.000Z',
};

export const discoveryContract = {
  listTools: operation({
    id: 'surfaces.discovery.listTools',
    method: 'GET',
    path: '/api/discovery/tools',
    summary: 'Discover tools that can be called',
    description:
      'The tools that this service offers over MCP, then its own skills, which run as tasks, then the tools of servers that ' +
      'listings name. `call` is the request that calls it. Tools of servers are as they were when the servers were last visited. Those visits are off unless the operator turned them on, and a host ' +
      'is visited once a day at most. An answer may be some seconds old.',
    access: 'public',
    query: Type.Object({
      search: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'Every word has to occur in the name, the title or the description.',
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
    }),
    examples: { search: 'weather', server: 'capstan', limit: 50, offset: 0 },
    answers: {
      200: {
        description: 'One page of tools. `Link` names the next and the previous page.',
        content: { 'application/json': { schema: ToolPage, example: TOOLS_EXAMPLE } },
      },
    },
    problems: [],
  }),
  listAgents: operation({
    id: 'surfaces.discovery.listAgents',
    method: 'GET',
    path: '/api/discovery/agents',
    summary: 'Discover agents',
    description: 'The agents of this service, each with where it is spoken to and whether it answers there.',
    access: 'public',
    answers: {
      200: {
        description: 'Every agent.',
        content: { 'application/json': { schema: Agents, example: { items: [AGENT_EXAMPLE] } } },
      },
    },
    problems: [],
  }),
  listProtocols: operation({
    id: 'surfaces.discovery.listProtocols',
    method: 'GET',
    path: '/api/discovery/protocols',
    summary: 'Discover protocols',
    description: 'The open contracts through which this service is used, with their versions and where each is spoken.',
    access: 'public',
    answers: {
      200: {
        description: 'Every protocol.',
        content: { 'application/json': { schema: Protocols, example: { items: [PROTOCOL_EXAMPLE] } } },
      },
    },
    problems: [],
  }),
  getAll: operation({
    id: 'surfaces.discovery.getAll',
    method: 'GET',
    path: '/api/discovery/all',
    summary: 'Discover everything at once',
    description:
      'The first page of the tools, every agent and every protocol, as the three other answers have them. The rest of the ' +
      'tools is at `/api/discovery/tools`.',
    access: 'public',
    answers: {
      200: {
        description: 'Tools, agents and protocols.',
        content: {
          'application/json': {
            schema: Type.Object({
              tools: ToolPage,
              agents: Agents,
              protocols: Protocols,
              generated_at: Type.String({ format: 'date-time', description: 'When the answer was put together.' }),
            }),
            example: ALL_EXAMPLE,
          },
        },
      },
    },
    problems: [],
  }),
  listHot: operation({
    id: 'surfaces.discovery.listHot',
    method: 'GET',
    path: '/api/discovery/hot',
    summary: 'Discover what is run most',
    description:
      'Skills and listings by their hot score, which is made of receipts alone: of runs that this service itself carried out, ' +
      'one for each account and day, never those of whoever publishes it. A call over a connection that was made from a ' +
      'listing counts for that listing; other connections are private. An answer may be ten seconds old.',
    access: 'public',
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many at most.' }),
    }),
    examples: { limit: 50 },
    answers: {
      200: {
        description: 'The hottest first.',
        content: { 'application/json': { schema: HotList, example: HOT_EXAMPLE } },
      },
    },
    problems: [],
  }),
};
