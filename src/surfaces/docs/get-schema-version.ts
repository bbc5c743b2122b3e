import { type Handler, json } from '#core/http/operation.ts';
import { SERVICE } from '#core/service.ts';
import type { docsContract } from './contract.ts';

export const getSchemaVersion =
  (contract_version: string): Handler<typeof docsContract.getSchemaVersion> =>
  () =>
    json({ version: contract_version, title: SERVICE.title });
