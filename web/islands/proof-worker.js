import { createCapstan } from './sdk/src/capstan.ts';
import { proveAccount } from './sdk/src/proof-of-work.ts';

/** Runs in a worker that `proof-of-work.js` starts. The page's session cookie replaces the token. */

const { call } = createCapstan({ base_url: '/-', prove: false });
proveAccount(call).then(
  () => postMessage('proven'),
  () => postMessage('failed'),
);
