import { soakInstances } from '../instances/soak.ts';

/**
 * `npm run soak -- threads [seed] [words of names…]`: what `instances` checks, where two `serve` answer in three threads each. Each
 * request uses its own connection, and so reaches any of the six.
 */
await soakInstances({ serve: 2, work: 1, env: { CAPSTAN_THREADS: '3' } }, process.argv.slice(2));
