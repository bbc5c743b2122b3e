import type { SessionsBase } from './deps.ts';
import type { Carried, Vault } from './seams.ts';

/** What was stored for a connection, ready to be sent. */
export const openVault = (_base: SessionsBase): Vault => ({
  open: async ({ url }): Promise<Carried> => ({ url, headers: {}, version: '0' }),
});
