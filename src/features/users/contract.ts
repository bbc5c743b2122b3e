import { apiKeysContract } from './contract-api-keys.ts';
import { profilesContract } from './contract-profiles.ts';

/** The users feature as data. */
export const usersContract = { ...profilesContract, ...apiKeysContract } as const;
