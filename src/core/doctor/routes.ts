import type { Routes } from '#core/http/operation.ts';
import type { doctorContract } from './contract.ts';
import { type DoctorDeps, runDoctorChecks } from './run.ts';

export const doctorRoutes = (deps: DoctorDeps): Routes<typeof doctorContract> => ({ run: runDoctorChecks(deps) });
