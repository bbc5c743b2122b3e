import { documentsContract } from '#surfaces/documents/contract-documents.ts';
import { serversContract } from '#surfaces/servers/contract.ts';
import { skillsContract } from '#surfaces/agent-skills/contract.ts';
import { webContract } from '#surfaces/documents/contract-web.ts';

/** The interop feature as data: what other registries, clients and crawlers ask for, each in its own standard's shape. */
export const interopContract = { ...serversContract, ...skillsContract, ...documentsContract, ...webContract } as const;
