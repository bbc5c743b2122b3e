import { documentsContract } from './contract-documents.ts';
import { serversContract } from './contract-servers.ts';
import { skillsContract } from './contract-skills.ts';
import { webContract } from './contract-web.ts';

/** The interop feature as data: what other registries, clients and crawlers ask for, each in its own standard's shape. */
export const interopContract = { ...serversContract, ...skillsContract, ...documentsContract, ...webContract } as const;
