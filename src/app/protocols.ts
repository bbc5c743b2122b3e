import type { OperationBase } from '#core/http/operation.ts';
import { A2A_VERSION, CARD_PATH } from '#surfaces/a2a/paths.ts';
import type { DiscoveredAgent, DiscoveredProtocol } from '#surfaces/discovery/shapes.ts';
import { MCP } from '#surfaces/docs/index-shape.ts';

/** The protocols and agents of this service. Entries that the contract does not contain are unavailable. */

type Spoken = Omit<DiscoveredProtocol, 'status'>;

const PROTOCOLS: readonly Spoken[] = [
  {
    name: 'mcp',
    title: 'Model Context Protocol over Streamable HTTP',
    versions: MCP.supported_versions,
    endpoint: MCP.endpoint,
  },
  spoken('mcp-registry', 'MCP registry API', ['v0.1'], '/v0.1/servers'),
  spoken('mcp-server-card', 'MCP server card', ['v1'], '/mcp/jsonrpc/server-card'),
  spoken('agent-skills', 'Agent Skills index', ['0.2.0'], '/.well-known/agent-skills/index.json'),
  spoken('a2a', 'Agent2Agent', [A2A_VERSION], CARD_PATH),
  spoken('ai-catalog', 'AI catalog', ['1.0'], '/.well-known/ai-catalog.json'),
  spoken('api-catalog', 'API catalog (RFC 9727)', ['RFC 9727'], '/.well-known/api-catalog'),
  spoken(
    'oauth-protected-resource',
    'OAuth protected resource metadata',
    ['RFC 9728'],
    '/.well-known/oauth-protected-resource',
  ),
  spoken(
    'oauth-authorization-server',
    'OAuth authorization server metadata',
    ['RFC 8414'],
    '/.well-known/oauth-authorization-server',
  ),
  spoken('claude-plugins', 'Claude plugin marketplace', ['1'], '/marketplace.json'),
  spoken('openapi', 'OpenAPI description of the whole API', ['3.1'], '/api/schema'),
  spoken('llms-txt', 'llms.txt', ['1'], '/llms.txt'),
];

function spoken(name: string, title: string, versions: string[], endpoint: string): Spoken {
  return { name, title, versions, endpoint };
}

interface Site {
  operations: readonly OperationBase[];
  /** The public URL; null makes addresses relative. */
  public_url: string | null;
}

const answers = (operations: readonly OperationBase[], path: string): boolean =>
  operations.some((operation) => operation.path === path || operation.also?.includes(path) === true);

const statusOf = ({ operations }: Site, path: string) =>
  answers(operations, path) ? ('available' as const) : ('unavailable' as const);

export const protocolsOf = (site: Site): DiscoveredProtocol[] =>
  PROTOCOLS.map((protocol) => ({
    ...protocol,
    endpoint: `${site.public_url ?? ''}${protocol.endpoint}`,
    status: statusOf(site, protocol.endpoint),
  }));

/** Returns whether MCP is available, and so whether our own tools can be called. */
export const speaksMcp = (site: Site): boolean => statusOf(site, MCP.endpoint) === 'available';

const CORE_AGENT = '/api/agents/core-agent/chat';

/** `skills` are the names of what it can run. */
export function agentsOf(site: Site, skills: readonly { name: string }[]): DiscoveredAgent[] {
  const link = (path: string): string => `${site.public_url ?? ''}${path}`;
  return [
    {
      id: 'core-agent',
      name: 'Core agent',
      description: 'Finds a capability for your request, runs it, and shows a trace of the run.',
      endpoint: link(CORE_AGENT),
      skills: skills.map(({ name }) => name),
      status: statusOf(site, CORE_AGENT),
      card_url: answers(site.operations, CARD_PATH) ? link(CARD_PATH) : null,
    },
  ];
}
