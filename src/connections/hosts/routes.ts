import type { SessionsDeps } from '#connections/connections/deps.ts';
import type { Routes } from '#core/http/operation.ts';
import type { hostsContract } from './contract.ts';
import { replaceHosts } from './replace.ts';

export const hostsRoutes = (deps: SessionsDeps): Routes<typeof hostsContract> => ({ replace: replaceHosts(deps) });
