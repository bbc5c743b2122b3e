import { ROWS } from './generated/operations.ts';

/** Metadata of an operation at run time. */

export type Access = 'public' | 'optional' | 'jwt' | 'fresh' | 'sensitive';

/**
 * Method, path, access class, media types with the default first, and flags: `k` takes a key, `f` a form, `r` redirects.
 * Then the fields of the body that a signature covers, and the window whose confirmation covers the operation.
 */
export type Row = readonly [
  method: string,
  path: string,
  access: Access,
  media: string,
  flags: string,
  signs?: string,
  window?: string,
];

export type OperationId = keyof typeof ROWS;

export interface Operation {
  id: OperationId;
  method: string;
  /** `/api/skills/{name}`. */
  path: string;
  access: Access;
  /** Media types of the response, the default first; empty if success has no body. */
  media: readonly string[];
  /** Takes `Idempotency-Key`: a repeated request gets the first response. */
  takes_key: boolean;
  /** Reads a form in place of JSON. */
  takes_form: boolean;
  /** Success may be a redirect, which is returned and not followed. */
  redirects: boolean;
  /** Fields of the body that a wallet signature states and covers. */
  signs: readonly string[];
  /** The window whose confirmation covers the operation for some minutes, or null. */
  confirm_window: string | null;
}

export const OPERATION_IDS = Object.keys(ROWS) as OperationId[];

export function operationOf(id: OperationId): Operation {
  const [method, path, access, media, flags, signs = '', window = ''] = ROWS[id] as Row;
  return {
    id,
    method,
    path,
    access,
    media: media === '' ? [] : media.split(' '),
    takes_key: flags.includes('k'),
    takes_form: flags.includes('f'),
    redirects: flags.includes('r'),
    signs: signs === '' ? [] : signs.split(' '),
    confirm_window: window === '' ? null : window,
  };
}
