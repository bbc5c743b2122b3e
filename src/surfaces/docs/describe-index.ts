import type { OperationBase } from '#core/http/operation.ts';
import { SERVICE } from '#core/service.ts';
import { AUTH, type Endpoint, type Index, MCP, REGISTRY, SENSITIVE_DATA, TIERS } from './index-shape.ts';

/** The root index, generated from the contract. */

export interface Site {
  operations: readonly OperationBase[];
  contract_version: string;
  /** The public URL; null leaves links relative. */
  public_url: string | null;
}

const WAYS_TO_SIGN_IN = [
  'accounts.wallets',
  'accounts.email',
  'accounts.google',
  'accounts.signIns',
  'accounts.devices',
  'accounts.proofOfWork',
  'accounts.oauth',
  'accounts.consent',
];

export function describeIndex({ operations, contract_version, public_url }: Site): Index {
  const link = (path: string): string => (public_url ?? '') + path;
  const endpoints = (...prefixes: string[]): Endpoint[] =>
    operations
      .filter(({ id }) => prefixes.some((prefix) => id.startsWith(`${prefix}.`)))
      .map(({ id, method, path, access }) => ({ operation: id, method, url: link(path), access }));
  return {
    service: { name: SERVICE.name, title: SERVICE.title, description: SERVICE.description },
    version: SERVICE.version,
    auth: { ...AUTH, endpoints: endpoints(...WAYS_TO_SIGN_IN) },
    registry: { ...REGISTRY, endpoints: endpoints('catalog') },
    marketplace: { endpoints: endpoints('marketplace') },
    discovery: { endpoints: endpoints('surfaces.discovery') },
    mcp: { ...MCP, endpoint: link(MCP.endpoint), endpoints: endpoints('surfaces.mcp') },
    skills: { endpoints: endpoints('runtime.skills') },
    sessions: { endpoints: endpoints('connections') },
    sensitive_data: SENSITIVE_DATA,
    tiers: TIERS,
    schema: { version: contract_version, openapi: link('/api/schema'), version_url: link('/api/schema/version') },
    docs: {
      markdown: link('/api/docs.md'),
      llms_txt: link('/llms.txt'),
      skills_md: link('/api/marketplace/skills.md'),
      errors: link('/docs/errors/{code}'),
    },
  };
}
