import { killingChecks } from '../instances/killing.ts';
import { soakInstances } from '../instances/soak.ts';

/**
 * `npm run soak -- instances [seed] [words of names…]`: three `serve` and two `work` on one PostgreSQL behind nginx, which sends each
 * request to the next of them. Everything that one instance started continues on another.
 */
await soakInstances({ serve: 3, work: 2, more: killingChecks() }, process.argv.slice(2));
