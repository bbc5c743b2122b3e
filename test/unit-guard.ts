import child_process from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import sqlite from 'node:sqlite';

/**
 * Loaded before the unit tests, in workers too: a `*.test.ts` that opens a server, a connection, a database or a long process
 * fails here, with the suffix that it needs. Without this, one slow test after another would move into the fast run.
 */

function refuse(what: string, suffix: string): never {
  throw new Error(`A unit test ${what}. Rename its file to end in .${suffix}.test.ts (see CONTRIBUTING.md).`);
}

net.Server.prototype.listen = () => refuse('listened on a port', 'e2e');
net.Socket.prototype.connect = () => refuse('opened a connection', 'e2e');
sqlite.DatabaseSync = class {
  constructor() {
    refuse('opened a database', 'db');
  }
} as unknown as typeof sqlite.DatabaseSync;
// The synchronous forms stay: `git ls-files` of the house rules is no service.
child_process.spawn = () => refuse('started a process', 'e2e');
child_process.fork = () => refuse('started a process', 'e2e');
syncBuiltinESMExports();
