import { AsyncLocalStorage } from 'node:async_hooks';
import type { Bash as BashClass, PipelineNode, StatementNode } from 'just-bash';

/**
 * just-bash gives a script's output back when the script has ended. Here its interpreter hands it out command by
 * command instead, wherever it is certain to go to the script's own output unchanged: what has been handed out is
 * taken out of the command's result, so that it is not given back again. All else (substitutions, what goes into a
 * pipe, redirected blocks, `xargs`, `find -exec`) stays as just-bash does it: one command after the other, also in pipes.
 */

export interface Output {
  stdout: string;
  stdoutKind?: 'text' | 'bytes';
  stderr: string;
  internalOutputAccounting?: { stdout: number; stderr: number };
}

type Emit = (result: Output) => void;

/** How far what runs now is known to be on the straight way out; no store, or any other place than meant: it is not. */
type Way =
  /** Statements of a script. */
  | 'script'
  /** Statements of a block whose output is passed on. */
  | 'block'
  /** One pipeline of such a statement. */
  | 'pipeline'
  /** The only command of a pipeline. */
  | 'command'
  /** One of several, by its node: the last one is on the way, of the others only standard error. */
  | PipelineNode
  /** A simple command that has no redirection. */
  | 'simple'
  /** The body of a function. */
  | 'body'
  /** A parsed text: `eval`, `source`, another bash. */
  | 'text'
  /** A script file that is called by its name. */
  | 'file'
  | 'closed';

type CommandNode = PipelineNode['commands'][number];
type Method<A extends unknown[]> = (this: Interpreter, ...args: A) => Promise<Output>;

/** The inner class of just-bash, by the names that its types give. */
interface Interpreter {
  ctx: {
    state: {
      functions: Map<string, { redirections: unknown[] }>;
      options: { verbose: boolean; xtrace: boolean };
      suppressVerbose?: boolean;
      fileDescriptors?: Map<number, string>;
      closedStandardFds?: Set<number>;
    };
  };
  executeScript: Method<[node: unknown]>;
  executeUserScript: Method<[path: string, args: string[], stdin?: string]>;
  executeStatement: Method<[node: StatementNode]>;
  executePipeline: Method<[node: PipelineNode]>;
  executeCommand: Method<[node: CommandNode, stdin: string, owned?: boolean]>;
  runCommand: Method<[name: string, args: string[], quoted: boolean[], stdin: string, ...rest: unknown[]]>;
}

type Methods = Pick<Interpreter, (typeof METHODS)[number]>;

const METHODS = [
  'executeScript',
  'executeUserScript',
  'executeStatement',
  'executePipeline',
  'executeCommand',
  'runCommand',
] as const;

/** What carries commands inside it, and passes their output on as it is. */
const BLOCKS = new Set(['If', 'For', 'CStyleFor', 'While', 'Until', 'Case', 'Subshell', 'Group']);
/** Taken before a function of the same name. */
const TAKEN_FIRST = new Set(['source', '.', 'compgen', 'complete', 'mapfile', 'readarray', 'getopts']);
const RUNS_TEXT = new Set(['eval', 'source', '.']);
const RUNS_SHELL = new Set(['bash', 'sh']);
const RUNS_COMMAND = new Set(['command', 'builtin', 'exec']);

/** Errors by name that bring what was written before them to the code that catches them, unchanged; others may be replaced. */
type Carriers = Set<string> | null;
/** A script passes all on. */
const ALL: Carriers = null;
const JUMPS: Carriers = new Set(['BreakError', 'ContinueError', 'ReturnError', 'ErrexitError', 'ExitError']);
/** What only ends one command of several. */
const ENDED: Carriers = new Set(['ErrexitError', 'ExitError', 'BadSubstitutionError']);

/**
 * Makes the interpreter call `emit` as output comes. Returns how a script is to be run for that; null where this
 * release of just-bash is built otherwise, and output comes at the end.
 */
export function streamBash(Bash: typeof BashClass, emit: Emit): (<T>(run: () => T) => T) | null {
  const interpreter = interpreterOf(Bash);
  if (interpreter === null) return null;
  const ways = new AsyncLocalStorage<Way>();
  const here = (): Way => ways.getStore() ?? 'closed';
  const tools: Tools = { here, on: (way, run) => (here() === way ? run() : ways.run(way, run)), emit };
  const was = Object.fromEntries(METHODS.map((name) => [name, interpreter[name]])) as unknown as Methods;
  Object.assign(interpreter, wrapStatements(was, tools), wrapCommands(was, tools));
  return (run) => ways.run('text', run);
}

interface Tools {
  here(): Way;
  /** Runs what comes next on this way. */
  on<T>(way: Way, run: () => T): T;
  emit: Emit;
}

type Wrapped = Partial<Interpreter> & ThisType<Interpreter>;

function wrapStatements(was: Methods, { here, on, emit }: Tools): Wrapped {
  const handOut = <T extends Output>({ ctx }: Interpreter, running: Promise<T>, carriers: Carriers): Promise<T> =>
    leaving(running, carriers, ({ stdout, stdoutKind, stderr }) => {
      const said = sendsErrorsOn(ctx) ? '' : stderr;
      if (stdout !== '' || said !== '')
        emit(stdoutKind ? { stdout, stderr: said, stdoutKind } : { stdout, stderr: said });
      return { stdout: '', stderr: said === '' ? stderr : '' };
    });
  return {
    executeScript(node) {
      return on(here() === 'text' ? 'script' : 'closed', () => was.executeScript.call(this, node));
    },
    executeUserScript(...args) {
      return on(here() === 'file' ? 'text' : 'closed', () => was.executeUserScript.apply(this, args));
    },
    executeStatement(node) {
      const way = here();
      if (way !== 'script' && way !== 'block') return on('closed', () => was.executeStatement.call(this, node));
      const { options, suppressVerbose } = this.ctx.state;
      // `set -v` writes the statement's text before what the statement itself writes.
      const into = options.verbose && !suppressVerbose ? 'closed' : 'pipeline';
      const running = on(into, () => was.executeStatement.call(this, node));
      return handOut(this, running, way === 'script' ? ALL : JUMPS);
    },
    executePipeline(node) {
      if (here() !== 'pipeline') return on('closed', () => was.executePipeline.call(this, node));
      const into = node.commands.length === 1 ? 'command' : node;
      return handOut(
        this,
        on(into, () => was.executePipeline.call(this, node)),
        JUMPS,
      );
    },
  };
}

function wrapCommands(was: Methods, { here, on, emit }: Tools): Wrapped {
  return {
    executeCommand(node, stdin, owned) {
      const way = here();
      const run = () => was.executeCommand.call(this, node, stdin, owned);
      if (typeof way === 'string') {
        const known = way === 'command' || way === 'body';
        return on(known ? wayInto(this, node) : 'closed', run);
      }
      const place = way.commands.indexOf(node);
      if (place === way.commands.length - 1) return on(wayInto(this, node), run);
      if (place === -1 || way.pipeStderr?.[place] || sendsErrorsOn(this.ctx)) return on('closed', run);
      return leaving(on('closed', run), ENDED, ({ stdout, stderr }) => {
        // Its standard output is the next one's input.
        if (stderr !== '') emit({ stdout: '', stderr });
        return { stdout, stderr: '' };
      });
    },
    runCommand(name, ...rest) {
      const way = here() === 'simple' ? wayThrough(this, name) : 'closed';
      return on(way, () => was.runCommand.call(this, name, ...rest)).then(soundlyCounted);
    },
  };
}

/**
 * A bash within a bash counts bytes that it read as if they were text, which just-bash then refuses as more than there is ("invalid
 * stdout accounting", up to 3.4.2). What was written counts at most in full.
 */
function soundlyCounted(result: Output): Output {
  const { stdout, stderr, stdoutKind, internalOutputAccounting: counted } = result;
  if (counted === undefined) return result;
  const size = stdoutKind === 'bytes' ? stdout.length : Buffer.byteLength(stdout);
  const most = { stdout: Math.min(counted.stdout, size), stderr: Math.min(counted.stderr, Buffer.byteLength(stderr)) };
  const isSound = most.stdout === counted.stdout && most.stderr === counted.stderr;
  return isSound ? result : { ...result, internalOutputAccounting: most };
}

/** After `exec 2>…` what still is standard error (a trace of `set -x`) is sent there by the blocks around it. */
const sendsErrorsOn = ({ state }: Interpreter['ctx']): boolean => state.fileDescriptors?.has(2) === true;

/** Enters a command whose output goes directly to standard output. */
function wayInto({ ctx }: Interpreter, node: CommandNode): Way {
  const { fileDescriptors: fds, closedStandardFds } = ctx.state;
  // After `exec >…` every block sends its output there once more, which differs only where the two are swapped.
  if (fds?.has(1) && (fds.has(2) || closedStandardFds?.has(2))) return 'closed';
  if (!node.redirections.every(isInput)) return 'closed';
  if (node.type === 'SimpleCommand') return 'simple';
  return BLOCKS.has(node.type) ? 'block' : 'closed';
}

const isInput = ({ operator, fd, fdVariable }: CommandNode['redirections'][number]): boolean =>
  ['<', '<<', '<<-', '<<<'].includes(operator) && !fd && !fdVariable;

/** Through a simple command to what it runs in turn. */
function wayThrough({ ctx: { state } }: Interpreter, name: string): Way {
  // `set -x` writes the command after it has run, in front of what it has written.
  if (state.options.xtrace) return 'closed';
  const called = TAKEN_FIRST.has(name) ? undefined : state.functions.get(name);
  if (called !== undefined) return called.redirections.length === 0 ? 'body' : 'closed';
  if (RUNS_TEXT.has(name)) return 'text';
  // It does not know of this one's `exec >…`: its output is sent there from here.
  if (RUNS_SHELL.has(name)) return state.fileDescriptors?.has(1) || state.fileDescriptors?.has(2) ? 'closed' : 'text';
  return RUNS_COMMAND.has(name) ? 'simple' : 'file';
}

/** What a command has written, also up to an error that carries it on, less what `take` takes. */
async function leaving<T extends Output>(
  running: Promise<T>,
  carriers: Carriers,
  take: (written: Output) => Output,
): Promise<T> {
  const left = <O extends Output>(from: O): O => {
    const rest = take(from);
    // What was taken is counted already, where it was written.
    const { stdout, stderr } = from.internalOutputAccounting ?? { stdout: 0, stderr: 0 };
    const counted = { stdout: rest.stdout === '' ? 0 : stdout, stderr: rest.stderr === '' ? 0 : stderr };
    return Object.assign(from, rest, { internalOutputAccounting: counted });
  };
  try {
    return left({ ...(await running) });
  } catch (error) {
    const { stdout, stderr, name = '' } = Object(error) as Partial<Output & Error>;
    const carried = typeof stdout === 'string' && typeof stderr === 'string' && (carriers?.has(name) ?? true);
    throw carried ? left(error as Output) : error;
  }
}

/** The class is not exported, so it is captured when its constructor binds the methods. */
function interpreterOf(Bash: typeof BashClass): Interpreter | null {
  let found: Interpreter | null = null;
  const { bind } = Function.prototype;
  Function.prototype.bind = function (this: unknown, self: unknown, ...args: unknown[]) {
    const prototype = self !== null && typeof self === 'object' ? Object.getPrototypeOf(self) : null;
    if (prototype !== null && Object.hasOwn(prototype, 'executeStatement')) found = prototype;
    return Reflect.apply(bind, this, [self, ...args]);
  } as typeof bind;
  try {
    void new Bash({ commands: [], defenseInDepth: false }).exec(':');
  } finally {
    Function.prototype.bind = bind;
  }
  const known = found as Interpreter | null;
  return known !== null && METHODS.every((name) => typeof known[name] === 'function') ? known : null;
}
