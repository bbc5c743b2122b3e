import { Command, CommanderError, Option } from 'commander';
import { addCompletion } from './commands/completion.ts';
import { addConnections } from './commands/connections.ts';
import { addInstall } from './commands/install.ts';
import { addKeys } from './commands/keys.ts';
import { addPublish } from './commands/publish.ts';
import { addRigs } from './commands/rigs.ts';
import { addRun } from './commands/run.ts';
import { addSearch } from './commands/search.ts';
import { addShow } from './commands/show.ts';
import { addSignIn } from './commands/sign-in.ts';
import { addSync } from './commands/sync.ts';
import { addTasks } from './commands/tasks.ts';
import { addTrace } from './commands/trace.ts';
import { addVerify } from './commands/verify.ts';
import { formatOf, type Given } from './context.ts';
import { EXIT, tellOf } from './failure.ts';
import { sayFailure } from './output.ts';
import { serviceUrl } from './profile.ts';
import type { World } from './world.ts';

export const VERSION = '0.1.0';

/** Every command, in the order in which help shows them. */
const PARTS = [
  ...[addSearch, addShow, addInstall, addRun, addTasks, addTrace, addVerify, addConnections, addRigs],
  ...[addPublish, addKeys, addSignIn, addSync, addCompletion],
];

export function programOf(world: World): Command {
  const program = new Command('capstan')
    .description('Find an agent capability, connect to it, run it, and prove what it did.')
    .version(VERSION)
    .option('--url <url>', 'the service; else CAPSTAN_URL, else the one signed in to last')
    .option('--json', 'answers as JSON, as the service gives them; by itself where no terminal reads')
    .addOption(new Option('--text', 'text for people, also where no terminal reads').conflicts('json'))
    .option('-q, --quiet', 'data and errors alone')
    .option('--no-input', 'never ask; what is missing is an error')
    .option('--wallet-key <file>', 'key of the wallet that signs what is sensitive; else CAPSTAN_WALLET_KEY_FILE')
    .showHelpAfterError('(capstan help tells more)')
    .configureHelp({ showGlobalOptions: false, sortSubcommands: false })
    .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 denied, 5 in conflict.\n')
    .enablePositionalOptions(false);
  for (const add of PARTS) add(program, world);
  quiet(program, world);
  return program;
}

/** Nothing ends the process and nothing is written but through the world. */
function quiet(command: Command, world: World): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => void world.stdout.write(text),
    writeErr: (text) => void world.stderr.write(text),
  });
  for (const it of command.commands) quiet(it, world);
}

/** Runs one call of the program; answers its exit code. `args` are those behind the program's name. */
export async function run(args: readonly string[], world: World): Promise<number> {
  const program = programOf(world);
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? EXIT.ok);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const given = program.opts<Given>();
    if (world.signal.aborted) return 130;
    const told = tellOf(error, await serviceUrl(world, given.url).catch(() => ''));
    if (told === null) throw error;
    sayFailure(world, formatOf(world, given), told);
    return told.exit_code;
  }
}
