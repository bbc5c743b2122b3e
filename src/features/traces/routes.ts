import type { Routes } from '../../platform/http/operation.ts';
import type { tracesContract } from './contract.ts';
import { getTrace, type TracesDeps } from './get-trace.ts';

export const tracesRoutes = (deps: TracesDeps): Routes<typeof tracesContract> => ({ getTrace: getTrace(deps) });
