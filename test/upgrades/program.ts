import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The program of any version, from the directory that it is in. */
export interface Program {
  /** Whether its contract has this operation. */
  offers(operation: string): boolean;
  /** Runs a command beside the service; answers what it printed. Throws where it fails. */
  command(...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

/** Of the program that tests it: a version of long ago may have asked for another Node, and runs with this one. */
const NODE = process.execPath;

/** Settings that this version does not know are left out. */
export async function startProgram(dir: string, settings: Record<string, string>): Promise<Program> {
  const known = await readFile(join(dir, '.env.example'), 'utf8');
  const isKnown = (name: string) => known.includes(`\n#${name}=`) || known.includes(`\n# ${name}=`);
  const given = Object.entries(settings).filter(([name]) => isKnown(name));
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...Object.fromEntries(given) };
  const start = (args: string[]) => spawn(NODE, ['src/app/main.ts', ...args], { cwd: dir, env });
  const service = start(['serve']);
  const ended = new Promise<void>((resolve) => service.once('close', () => resolve()));
  let said = '';
  await new Promise<void>((resolve, reject) => {
    service.stderr.on('data', (chunk) => {
      said += chunk;
      if (said.includes('is ready')) resolve();
    });
    void ended.then(() => reject(new Error(`the program ended: ${said}`)));
  });
  const contract = await readFile(join(dir, 'openapi.yaml'), 'utf8');
  return {
    offers: (operation) => new RegExp(`operationId: ${operation}$`, 'm').test(contract),
    command: (...args) => runToEnd(start(args), args),
    stop: async () => {
      service.kill('SIGTERM');
      await ended;
    },
  };
}

function runToEnd(child: ReturnType<typeof spawn>, args: string[]): Promise<string> {
  let [out, error] = ['', ''];
  child.stdout?.on('data', (chunk) => (out += chunk));
  child.stderr?.on('data', (chunk) => (error += chunk));
  return new Promise((resolve, reject) =>
    child.once('close', (code) =>
      code === 0 ? resolve(out) : reject(new Error(`capstand ${args.join(' ')} ended with ${code}: ${error}${out}`)),
    ),
  );
}
