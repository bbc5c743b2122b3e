import { emailOperations } from './contract-email.ts';
import { googleOperations } from './contract-google.ts';
import { signInOperations } from './contract-sign-in.ts';
import { walletOperations } from './contract-wallet.ts';

export const authContract = {
  ...walletOperations,
  ...emailOperations,
  ...googleOperations,
  ...signInOperations,
} as const;
