import type { OperationBase } from '../../platform/http/operation.ts';
import { SERVICE } from '../../platform/service.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from '../registry/kinds.ts';
import { type Endpoint, INDEX_EXAMPLE, type Index, TIERS } from './index-shape.ts';

/** The root index as the contract has it: what is not in the contract is not offered. */

const SENSITIVE_PATHS = ['/api/users/lookup', '/api/users/{id}', '/api/users/{id}/api-keys', '/api/harnesses/*'];

export interface Site {
  operations: readonly OperationBase[];
  contract_version: string;
  /** Where others reach the service; null leaves the links relative. */
  public_url: string | null;
}

export function describeIndex({ operations, contract_version, public_url }: Site): Index {
  const link = (path: string): string => (public_url ?? '') + path;
  const endpoints = (...features: string[]): Endpoint[] =>
    operations
      .filter(({ id }) => features.some((it) => id.startsWith(`${it}.`)))
      .map(({ id, method, path, access }) => ({ operation: id, method, url: link(path), access }));
  const { auth, mcp, registry } = INDEX_EXAMPLE;
  return {
    service: { name: SERVICE.name, title: SERVICE.title, description: SERVICE.description },
    version: SERVICE.version,
    auth: { ...auth, endpoints: endpoints('auth') },
    registry: {
      providers: [...PROVIDERS],
      listing_types: [...LISTING_TYPES],
      execution_classes: [...EXECUTION_CLASSES],
      limit: registry.limit,
      endpoints: endpoints('registry'),
    },
    marketplace: { endpoints: endpoints('marketplace') },
    discovery: { endpoints: endpoints('discovery') },
    mcp: { ...mcp, endpoint: link(mcp.endpoint), endpoints: endpoints('mcp') },
    skills: { endpoints: endpoints('skills') },
    sessions: { endpoints: endpoints('sessions') },
    sensitive_data: { headers: ['x-wallet-signature', 'x-challenge-id'], paths: SENSITIVE_PATHS },
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
