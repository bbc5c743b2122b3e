import { apiKeysContract } from './api-keys/contract.ts';
import { consentContract } from './consent/contract.ts';
import { deviceKeysContract } from './device-keys/contract.ts';
import { devicesContract } from './devices/contract.ts';
import { emailContract } from './email/contract.ts';
import { googleContract } from './google/contract.ts';
import { oauthContract } from './oauth/contract.ts';
import { proofOfWorkContract } from './proof-of-work/contract.ts';
import { signInsContract } from './sign-ins/contract.ts';
import { usersContract } from './users/contract.ts';
import { walletsContract } from './wallets/contract.ts';

/** The operations of this wing by resource. */
export const accountsWing = {
  users: usersContract,
  apiKeys: apiKeysContract,
  wallets: walletsContract,
  email: emailContract,
  google: googleContract,
  signIns: signInsContract,
  devices: devicesContract,
  deviceKeys: deviceKeysContract,
  proofOfWork: proofOfWorkContract,
  oauth: oauthContract,
  consent: consentContract,
} as const;
