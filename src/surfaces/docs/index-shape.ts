import type { Static } from 'typebox';
import { MCP_PATH } from '#accounts/auth/resources.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from '#catalog/items/kinds.ts';
import { ACCESS_CLASSES } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { SERVICE } from '#core/service.ts';

/** The root index. Each part with operations lists those that can be called now. */

export const Endpoint = Type.Object({
  operation: Type.String({ description: 'operationId in the OpenAPI document.' }),
  method: Type.String(),
  url: Type.String({ description: 'May contain parameters in braces.' }),
  access: Type.Enum([...ACCESS_CLASSES]),
});
export type Endpoint = Static<typeof Endpoint>;

export const Endpoints = Type.Array(Endpoint, { description: 'Empty if this part is disabled.' });
const part = { endpoints: Endpoints };
const Strings = Type.Array(Type.String());

export const Index = Type.Object({
  service: Type.Object({ name: Type.String(), title: Type.String(), description: Type.String() }),
  version: Type.String(),
  auth: Type.Object({ methods: Strings, scheme: Type.String(), token_lifetime_seconds: Type.Integer(), ...part }),
  registry: Type.Object({
    providers: Type.Array(Type.Enum([...PROVIDERS])),
    listing_types: Strings,
    execution_classes: Strings,
    limit: Type.Object({ default: Type.Integer(), maximum: Type.Integer() }),
    ...part,
  }),
  marketplace: Type.Object(part),
  discovery: Type.Object(part),
  mcp: Type.Object({ endpoint: Type.String(), protocol_version: Type.String(), supported_versions: Strings, ...part }),
  skills: Type.Object(part),
  sessions: Type.Object(part),
  sensitive_data: Type.Object({ headers: Strings, paths: Strings }),
  tiers: Type.Array(
    Type.Object({
      name: Type.String(),
      llm_requests_per_day: Type.Union([Type.Integer(), Type.Null()], { description: 'null: unlimited.' }),
      scopes: Strings,
    }),
  ),
  schema: Type.Object({ version: Type.String(), openapi: Type.String(), version_url: Type.String() }),
  docs: Type.Object({
    markdown: Type.String(),
    llms_txt: Type.String(),
    skills_md: Type.String(),
    errors: Type.String({ description: 'Replace `{code}` with an error code.' }),
  }),
});
export type Index = Static<typeof Index>;

export const TIERS: Index['tiers'] = [
  { name: 'free', llm_requests_per_day: 100, scopes: ['read', 'write'] },
  { name: 'casual', llm_requests_per_day: 500, scopes: ['read', 'write'] },
  { name: 'pro', llm_requests_per_day: null, scopes: ['read', 'write', 'admin'] },
];

export const AUTH = { methods: ['wallet', 'email', 'google'], scheme: 'Bearer', token_lifetime_seconds: 86_400 };

export const REGISTRY = {
  providers: [...PROVIDERS],
  listing_types: [...LISTING_TYPES],
  execution_classes: [...EXECUTION_CLASSES],
  limit: { default: 50, maximum: 200 },
};

export const MCP = {
  endpoint: MCP_PATH,
  protocol_version: SERVICE.mcp_protocol_version,
  supported_versions: [...SERVICE.mcp_versions],
};

export const SENSITIVE_DATA = {
  headers: ['x-wallet-signature', 'x-challenge-id'],
  paths: ['/api/users/lookup', '/api/users/{id}', '/api/users/{id}/api-keys', '/api/harnesses/*'],
};

export const INDEX_EXAMPLE: Index = {
  service: { name: SERVICE.name, title: SERVICE.title, description: SERVICE.description },
  version: SERVICE.version,
  auth: { ...AUTH, endpoints: [] },
  registry: {
    ...REGISTRY,
    endpoints: [{ operation: 'catalog.items.list', method: 'GET', url: '/api/marketplace/registry', access: 'public' }],
  },
  marketplace: { endpoints: [] },
  discovery: { endpoints: [] },
  mcp: { ...MCP, endpoints: [] },
  skills: { endpoints: [{ operation: 'runtime.skills.list', method: 'GET', url: '/api/skills', access: 'public' }] },
  sessions: { endpoints: [] },
  sensitive_data: SENSITIVE_DATA,
  tiers: TIERS,
  schema: { version: '0.1.0', openapi: '/api/schema', version_url: '/api/schema/version' },
  docs: {
    markdown: '/api/docs.md',
    llms_txt: '/llms.txt',
    skills_md: '/api/marketplace/skills.md',
    errors: '/docs/errors/{code}',
  },
};
