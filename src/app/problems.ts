import { ACCOUNTS_ERRORS } from '#accounts/errors.ts';
import { CATALOG_ERRORS } from '#catalog/errors.ts';
import { CONNECTIONS_ERRORS } from '#connections/errors.ts';
import { CORE_ERRORS } from '#core/errors.ts';
import type { ErrorTable } from '#core/problem/error-table.ts';
import { MARKETPLACE_ERRORS } from '#marketplace/errors.ts';
import { RUNTIME_ERRORS } from '#runtime/errors.ts';
import { SURFACES_ERRORS } from '#surfaces/errors.ts';
import { APP_ERRORS } from './errors.ts';

/** Every error code of the service, by wing. */
export const ERRORS: ErrorTable = {
  ...CORE_ERRORS,
  ...ACCOUNTS_ERRORS,
  ...CATALOG_ERRORS,
  ...CONNECTIONS_ERRORS,
  ...RUNTIME_ERRORS,
  ...MARKETPLACE_ERRORS,
  ...SURFACES_ERRORS,
  ...APP_ERRORS,
};
