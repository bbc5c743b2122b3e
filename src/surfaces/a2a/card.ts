import type { Kysely } from 'kysely';
import { listConnections } from '#connections/connections/connections.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Caller, SCOPES } from '#core/http/caller.ts';
import { SERVICE } from '#core/service.ts';
import { plain } from '#core/tools/words.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import { INPUT_MODES, OUTPUT_MODES } from './message.ts';
import { A2A_PATH, A2A_VERSION } from './paths.ts';

/** The agent's card as JSON: the public one, and the one of a user. */
export interface AgentCards {
  open(): Record<string, unknown>;
  /** Includes the caller's ready connections. */
  extended(caller: Caller): Promise<Record<string, unknown>>;
}

interface CardDeps {
  db: Kysely<Schema>;
  skills: SkillStore;
  base_url: string;
}

const MOST_CONNECTIONS = 100;

export function agentCards({ db, skills, base_url }: CardDeps): AgentCards {
  const open = () => ({
    name: `${SERVICE.title} core agent`,
    description:
      'Finds a capability for your request, runs it, and returns the trace and receipt. A run that may ' +
      'have side effects starts only if you ask for it.',
    supportedInterfaces: [{ url: base_url + A2A_PATH, protocolBinding: 'JSONRPC', protocolVersion: A2A_VERSION }],
    provider: { organization: SERVICE.title, url: base_url },
    version: SERVICE.version,
    documentationUrl: `${base_url}/docs`,
    iconUrl: `${base_url}/assets/icon.svg`,
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true },
    ...security(base_url),
    defaultInputModes: [...INPUT_MODES],
    defaultOutputModes: [...OUTPUT_MODES],
    skills: [...OWN_SKILLS, ...skills.skills.map(ofSkill)],
  });
  return {
    open,
    extended: async ({ user_id }) => {
      const { items } = await listConnections(db, user_id, { limit: MOST_CONNECTIONS, offset: 0 });
      const ready = items.filter(({ status }) => status === 'ready').map(ofConnection);
      const card = open();
      return { ...card, skills: [...card.skills, ...ready] };
    },
  };
}

const security = (baseUrl: string) => ({
  securitySchemes: {
    bearer: {
      httpAuthSecurityScheme: {
        scheme: 'Bearer',
        bearerFormat: 'JWT',
        description: 'Access token or API key.',
      },
    },
    oauth: {
      oauth2SecurityScheme: {
        description: 'Authorization code with PKCE and dynamic client registration; see the metadata.',
        oauth2MetadataUrl: `${baseUrl}/.well-known/oauth-authorization-server`,
        flows: {
          authorizationCode: {
            authorizationUrl: `${baseUrl}/oauth/authorize`,
            tokenUrl: `${baseUrl}/oauth/token`,
            refreshUrl: `${baseUrl}/oauth/token`,
            pkceRequired: true,
            scopes: Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_WORDS[scope]])),
          },
        },
      },
    },
  },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }, { schemes: { oauth: { list: ['read', 'write'] } } }],
});

const SCOPE_WORDS = {
  read: 'Read tasks and conversations.',
  write: 'Message the agent, run capabilities, cancel tasks.',
  admin: 'Manage the account. Not used by the agent.',
} as const;

const OWN_SKILLS = [
  {
    id: 'find',
    name: 'Find capabilities',
    description: 'Searches servers, skills and published capabilities, inspects and compares them.',
    tags: ['search', 'registry', 'marketplace', 'mcp', 'skills'],
    examples: ['Find a tool that reads PDF files', 'Compare json-diff and csv-profile', 'What can json-diff do?'],
  },
  {
    id: 'run',
    name: 'Run a capability',
    description: 'Runs a skill or a connection’s tool as a task, requests missing input, and links the receipt.',
    tags: ['run', 'task', 'receipt'],
    examples: ['Run json-diff with {"before": {"a": 1}, "after": {"a": 2}}'],
  },
  {
    id: 'own',
    name: 'Your tasks, connections and memory',
    description: 'Lists and reads the data of the caller.',
    tags: ['tasks', 'connections', 'memory'],
    examples: ['Show my tasks', 'Which connections do I have?'],
  },
];

const ofSkill = ({ name, description, execution_class }: SkillStore['skills'][number]) => ({
  id: `skill:${name}`,
  name,
  description,
  tags: ['skill', execution_class],
});

/** Named by its owner; the server's own description is not passed on. */
const ofConnection = ({ id, name }: { id: string; name: string }) => ({
  id: `connection:${id}`,
  name: plain(name, 100),
  description: 'Calls the tools of this connection.',
  tags: ['connection', 'mcp'],
});
