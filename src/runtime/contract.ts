import { contextContract } from './context/contract.ts';
import { grantsContract } from './grants/contract.ts';
import { harnessesContract } from './harnesses/contract.ts';
import { memoryContract } from './memory/contract.ts';
import { receiptsContract } from './receipts/contract.ts';
import { rigsContract } from './rigs/contract.ts';
import { skillsContract } from './skills/contract.ts';
import { tasksContract } from './tasks/contract.ts';
import { trialsContract } from './trials/contract.ts';

/** The operations of this wing by resource, as data. */
export const runtimeWing = {
  skills: skillsContract,
  grants: grantsContract,
  harnesses: harnessesContract,
  memory: memoryContract,
  context: contextContract,
  rigs: rigsContract,
  receipts: receiptsContract,
  tasks: tasksContract,
  trials: trialsContract,
} as const;
