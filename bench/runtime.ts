import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** `node bench/runtime.ts`: packages and native scripts, one table after the other. */
const PARTS = ['box-start', 'egress', 'server-start'];

for (const part of PARTS) {
  const file = fileURLToPath(new URL(`./runtime/${part}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file, ...process.argv.slice(2)], { stdio: 'inherit' });
  const code = await new Promise<number>((resolve) => child.once('exit', (status) => resolve(status ?? 1)));
  if (code !== 0) process.exitCode = code;
}
