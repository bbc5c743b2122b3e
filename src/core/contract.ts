import { auditContract } from './audit/contract.ts';
import { doctorContract } from './doctor/contract.ts';
import { healthContract } from './health/contract.ts';
import { tracesContract } from './traces/contract.ts';

/** The operations of this wing by resource, as data. */
export const coreWing = {
  traces: tracesContract,
  health: healthContract,
  audit: auditContract,
  doctor: doctorContract,
} as const;
