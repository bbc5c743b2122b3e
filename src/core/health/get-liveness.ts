import { type Handler, json } from '#core/http/operation.ts';
import { SERVICE } from '#core/service.ts';
import type { healthContract } from './contract.ts';

export const getLiveness =
  (instance: string): Handler<typeof healthContract.getLiveness> =>
  () =>
    json({ status: 'ok', version: SERVICE.version, instance }, { cache_control: 'no-store' });
