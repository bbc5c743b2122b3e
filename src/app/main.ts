import { explainDatabaseFailure } from '#core/db/failure.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';
import { SERVICE } from '#core/service.ts';
import type { Command } from './commands/command.ts';

/** `capstand`, the operator's program. Each command is a separate file, loaded on demand. */

const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  work: async () => (await import('./commands/serve.ts')).work,
  health: async () => (await import('./commands/health.ts')).healthCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  sync: async () => (await import('./commands/sync.ts')).syncCommand,
  identity: async () => (await import('./commands/identity.ts')).identityCommand,
  stats: async () => (await import('./commands/stats.ts')).statsCommand,
  probe: async () => (await import('./commands/probe.ts')).probeCommand,
  run: async () => (await import('./commands/run.ts')).runCommand,
  package: async () => (await import('./commands/package.ts')).packageCommand,
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
const VERSION = ['version', '--version', '-V'];

async function main([name, ...argv]: string[]): Promise<number> {
  const load = name === undefined || !Object.hasOwn(COMMANDS, name) ? undefined : COMMANDS[name];
  if (load === undefined) {
    if (name !== undefined && VERSION.includes(name)) {
      process.stdout.write(`capstand ${SERVICE.version}, Node ${process.versions.node}\n`);
      return 0;
    }
    const asked = name === undefined || HELP.includes(name);
    if (asked) process.stdout.write(await overview());
    else process.stderr.write(`capstand: unknown command ${name}. See capstand --help.\n`);
    return asked ? 0 : 2;
  }
  const { run, usage, summary } = await load();
  if (usage !== undefined && argv.some((text) => text === '--help' || text === '-h')) {
    process.stdout.write(`usage: capstand ${usage}\n\n${summary}\n`);
    return 0;
  }
  return run(argv);
}

async function overview(): Promise<string> {
  const lines = await Promise.all(
    Object.entries(COMMANDS).map(async ([command, load]) => `  ${command.padEnd(12)}${(await load()).summary}`),
  );
  return `usage: capstand <command> [options]\n\n${lines.join('\n')}\n\ncapstand <command> --help shows its options.\n`;
}

/** Returns the exit code. Errors that an operator can fix are one line; anything else is a bug and keeps its stack. */
async function report(thrown: unknown, name: string | undefined): Promise<number> {
  const error = explainDatabaseFailure(thrown) as Error & { code?: unknown };
  if (String(error.code).startsWith('ERR_PARSE_ARGS_')) {
    process.stderr.write(`capstand ${name}: ${error.message.split('. ')[0]}. See capstand ${name} --help.\n`);
    return 2;
  }
  const ofDatabase = await databaseLine(error);
  const line = ofDatabase ?? (error instanceof Problem ? error.message : null);
  process.stderr.write(line === null ? `${error.stack}\n` : `capstand: ${line}\n`);
  return 1;
}

/** Only for database errors; clients of the service see less. */
async function databaseLine(error: Error & { code?: unknown }): Promise<string | null> {
  if (error instanceof Problem && !isProblem(error, 'database.unavailable', 'unreachable')) return null;
  const { whyDatabaseFails } = await import('./database.ts');
  return whyDatabaseFails(error instanceof Problem ? error.cause : error, process.env);
}

/** Grace period for what a failed command has left open. */
const LEAVE_AFTER_MS = 1_000;

const argv = process.argv.slice(2);
// The reader of a pipe may stop early: `capstand import … | head`. A service outlives the reader of its log.
if (argv[0] !== 'serve' && argv[0] !== 'work')
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
try {
  process.exitCode = await main(argv);
} catch (thrown) {
  process.exitCode = await report(thrown, argv[0]);
  setTimeout(() => process.exit(), LEAVE_AFTER_MS).unref();
}
