import type { Command } from './commands/command.ts';
import { explainDatabaseFailure } from './platform/db/failure.ts';
import { Problem } from './platform/problem.ts';

/** `capstand`, the operator's program. Each command is a file of its own, loaded when it is asked for. */

const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  work: async () => (await import('./commands/serve.ts')).work,
  health: async () => (await import('./commands/health.ts')).healthCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  sync: async () => (await import('./commands/sync.ts')).syncCommand,
  identity: async () => (await import('./commands/identity.ts')).identityCommand,
  probe: async () => (await import('./commands/probe.ts')).probeCommand,
  run: async () => (await import('./commands/run.ts')).runCommand,
  receipts: async () => (await import('./commands/receipts.ts')).receiptsCommand,
  validate: async () => (await import('./commands/validate.ts')).validateCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  users: async () => (await import('./commands/users.ts')).usersCommand,
  moderation: async () => (await import('./commands/moderation.ts')).moderationCommand,
  tokens: async () => (await import('./commands/tokens.ts')).tokensCommand,
  vault: async () => (await import('./commands/vault.ts')).vaultCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/restore.ts')).restoreCommand,
  audit: async () => (await import('./commands/audit.ts')).auditCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  schema: async () => (await import('./commands/schema.ts')).schemaCommand,
  warm: async () => (await import('./commands/warm.ts')).warm,
  where: async () => (await import('./commands/where.ts')).whereCommand,
};

const HELP = ['help', '--help', '-h'];

async function main([name, ...argv]: string[]): Promise<number> {
  const load = name === undefined || !Object.hasOwn(COMMANDS, name) ? undefined : COMMANDS[name];
  if (load === undefined) {
    const asked = name === undefined || HELP.includes(name);
    process.stderr.write(`${asked ? '' : `capstand: there is no command ${name}\n\n`}${await overview()}`);
    return asked ? 0 : 2;
  }
  const { run, usage, summary } = await load();
  if (usage !== undefined && argv.some((it) => it === '--help' || it === '-h')) {
    process.stdout.write(`usage: capstand ${usage}\n\n${summary}\n`);
    return 0;
  }
  return run(argv);
}

async function overview(): Promise<string> {
  const lines = await Promise.all(
    Object.entries(COMMANDS).map(async ([command, load]) => `  ${command.padEnd(10)}${(await load()).summary}`),
  );
  return `usage: capstand <command> [options]\n\n${lines.join('\n')}\n\ncapstand <command> --help shows its options.\n`;
}

/** Answers the exit code. What an operator can mend is one plain line; anything else is a bug and keeps its stack. */
function report(thrown: unknown, name: string | undefined): number {
  const error = explainDatabaseFailure(thrown) as Error & { code?: unknown };
  if (String(error.code).startsWith('ERR_PARSE_ARGS_')) {
    process.stderr.write(`capstand ${name}: ${error.message.split('. ')[0]}. See capstand ${name} --help.\n`);
    return 2;
  }
  process.stderr.write(error instanceof Problem ? `capstand: ${error.message}\n` : `${error.stack}\n`);
  return 1;
}

const argv = process.argv.slice(2);
try {
  process.exitCode = await main(argv);
} catch (thrown) {
  process.exitCode = report(thrown, argv[0]);
}
