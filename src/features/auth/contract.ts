import { authorizationPageOperations } from './contract-authorization.ts';
import { emailOperations } from './contract-email.ts';
import { googleOperations } from './contract-google.ts';
import { oauthOperations } from './contract-oauth.ts';
import { proofOperations } from './contract-proof.ts';
import { signInOperations } from './contract-sign-in.ts';
import { walletOperations } from './contract-wallet.ts';

export const authContract = {
  ...walletOperations,
  ...emailOperations,
  ...googleOperations,
  ...signInOperations,
  ...proofOperations,
  ...oauthOperations,
  ...authorizationPageOperations,
} as const;
