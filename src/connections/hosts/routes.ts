import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import type { Routes } from '#core/http/operation.ts';
import type { hostsContract } from './contract.ts';
import { replaceHosts } from './replace.ts';

export const hostsRoutes = (deps: ConnectionsDeps): Routes<typeof hostsContract> => ({ replace: replaceHosts(deps) });
