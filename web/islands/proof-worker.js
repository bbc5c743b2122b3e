import { createCapstan } from './sdk/src/capstan.ts';
import { proveAccount } from './sdk/src/proof-of-work.ts';

/** Runs in a worker: `proof-of-work.js` starts it. The page's session stands for the token. */

const { call } = createCapstan({ base_url: '/-', prove: false });
proveAccount(call).then(
  () => postMessage('proven'),
  () => postMessage('failed'),
);
