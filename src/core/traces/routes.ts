import type { Routes } from '#core/http/operation.ts';
import type { tracesContract } from './contract.ts';
import { getTrace, type TracesDeps } from './get.ts';

export const tracesRoutes = (deps: TracesDeps): Routes<typeof tracesContract> => ({ get: getTrace(deps) });
