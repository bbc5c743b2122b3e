import { Command, CommanderError, Option } from 'commander';
import type { Part } from './command.ts';
import { completion } from './commands/completion.ts';
import { connect, connections } from './commands/connections.ts';
import { endpoints } from './commands/endpoints.ts';
import { installing } from './commands/install.ts';
import { keys } from './commands/keys.ts';
import { local, serveLocal } from './commands/local.ts';
import { publish, withdrawals } from './commands/publish.ts';
import { published } from './commands/published.ts';
import { rigs } from './commands/rigs.ts';
import { run as runCommand } from './commands/run.ts';
import { search } from './commands/search.ts';
import { share } from './commands/share.ts';
import { show } from './commands/show.ts';
import { signIn } from './commands/sign-in.ts';
import { sync } from './commands/sync.ts';
import { tasks } from './commands/tasks.ts';
import { trace } from './commands/trace.ts';
import { trust } from './commands/trust.ts';
import { verify } from './commands/verify.ts';
import { formatOf, type Given } from './context.ts';
import { EXIT, type Failure, tellOf, usage } from './failure.ts';
import { sayFailure } from './output.ts';
import { serviceUrl } from './profile.ts';
import { VERSION } from './version.ts';
import type { World } from './world.ts';

/** Every command, in the order in which help shows them. */
const PARTS: readonly Part[] = [
  search,
  show,
  ...installing,
  runCommand,
  tasks,
  share,
  trace,
  verify,
  connect,
  connections,
  endpoints,
  local,
  serveLocal,
  rigs,
  publish,
  published,
  ...withdrawals,
  trust,
  keys,
  ...signIn,
  sync,
  ...completion,
];

function programOf(world: World): Command {
  const program = new Command('capstan')
    .description('Find agent capabilities, connect to them, run them, and prove what they did.')
    .version(VERSION)
    .option('--url <url>', 'service URL; default: CAPSTAN_URL, else the service you last signed in to')
    .option('--json', 'print JSON; the default if stdout is not a terminal')
    .addOption(new Option('--text', 'print text even if stdout is not a terminal').conflicts('json'))
    .option('-q, --quiet', 'print data and errors only')
    .option('--no-input', 'never prompt; fail if input is missing')
    .option('--wallet-key <file>', 'wallet key for sensitive requests; default: CAPSTAN_WALLET_KEY_FILE')
    .configureHelp({ showGlobalOptions: false, sortSubcommands: false })
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 1 failure, 2 usage error, 3 not found, 4 permission denied, 5 conflict.\n',
    )
    .enablePositionalOptions(false);
  for (const part of PARTS) part(program, world);
  quiet(program, world);
  return program;
}

/** The process only exits and prints through `world`; errors are reported like every failure. */
function quiet(command: Command, world: World): void {
  command
    .exitOverride((error) => {
      throw error.exitCode === EXIT.ok || error.code === 'commander.help' ? error : misused(command, error);
    })
    .configureOutput({
      writeOut: (text) => void world.stdout.write(text),
      writeErr: (text) => void world.stderr.write(text),
      outputError: () => {},
    });
  for (const child of command.commands) quiet(child, world);
}

function misused(command: Command, { message }: CommanderError): Failure {
  const path: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) path.unshift(at.name());
  return usage(message.replace(/^error: /, '').replaceAll('\n', ' '), `See: ${path.join(' ')} --help`);
}

/** Runs one call of the program; answers its exit code. `args` are those behind the program's name. */
export async function run(args: readonly string[], world: World): Promise<number> {
  const program = programOf(world);
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === EXIT.ok ? EXIT.ok : EXIT.usage;
    if (world.signal.aborted) return EXIT.interrupted;
    const given = program.opts<Given>();
    const told = tellOf(error, await serviceUrl(world, given.url).catch(() => ''));
    if (told === null) throw error;
    sayFailure(world, formatOf(world, given), told);
    return told.exit_code;
  }
}
