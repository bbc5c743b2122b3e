import type { Command } from './commands/command.ts';
import { explainDatabaseFailure } from './platform/db/failure.ts';
import { Problem } from './platform/problem.ts';

/** `capstand`, the operator's program. Each command is a file of its own, loaded when it is asked for. */

const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  work: async () => (await import('./commands/serve.ts')).work,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  sync: async () => (await import('./commands/sync.ts')).syncCommand,
  run: async () => (await import('./commands/run.ts')).runCommand,
  schema: async () => (await import('./commands/schema.ts')).schemaCommand,
  warm: async () => (await import('./commands/warm.ts')).warm,
  where: async () => (await import('./commands/where.ts')).whereCommand,
};

async function main([name, ...argv]: string[]): Promise<number> {
  const load = name === undefined ? undefined : COMMANDS[name];
  if (load === undefined) {
    process.stderr.write(await usage(name));
    return name === undefined || ['help', '--help', '-h'].includes(name) ? 0 : 2;
  }
  return (await load()).run(argv);
}

async function usage(name: string | undefined): Promise<string> {
  const wrong =
    name === undefined || name.includes('help') || name === '-h' ? '' : `capstand: there is no command ${name}\n\n`;
  const lines = await Promise.all(
    Object.entries(COMMANDS).map(async ([command, load]) => `  ${command.padEnd(10)}${(await load()).summary}`),
  );
  return `${wrong}usage: capstand <command> [options]\n\n${lines.join('\n')}\n`;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (thrown) {
  const error = explainDatabaseFailure(thrown);
  // What an operator can mend is one plain line; anything else is a bug and keeps its stack.
  process.stderr.write(error instanceof Problem ? `capstand: ${error.message}\n` : `${(error as Error).stack}\n`);
  process.exitCode = 1;
}
