import type { Routes } from '#core/http/operation.ts';
import { confirmDeviceKey } from './confirm.ts';
import type { deviceKeysContract } from './contract.ts';
import type { DeviceKeyDeps } from './deps.ts';
import { finishDeviceKey } from './finish.ts';
import { listDeviceKeys } from './list.ts';
import { registerDeviceKey } from './register.ts';
import { rejectDeviceKey } from './reject.ts';
import { renameDeviceKey } from './rename.ts';
import { revokeDeviceKey } from './revoke.ts';

export const deviceKeysRoutes = (deps: DeviceKeyDeps): Routes<typeof deviceKeysContract> => ({
  list: listDeviceKeys(deps),
  register: registerDeviceKey(deps),
  confirm: confirmDeviceKey(deps),
  finish: finishDeviceKey(deps),
  rename: renameDeviceKey(deps),
  reject: rejectDeviceKey(deps),
  revoke: revokeDeviceKey(deps),
});
