import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { type Client, type ClientOptions, openClient } from './client.ts';
import { EXIT, Failure, usage } from './failure.ts';
import { type Format, safe, show, showLine } from './output.ts';
import { type Far, type Progress, startProgress } from './progress.ts';
import type { World } from './world.ts';

/** The common options of all commands. */
interface Options extends ClientOptions {
  input: boolean;
}

/** The context of a command. */
export interface Context {
  world: World;
  format: Format;
  options: Options;
  /** The service with its stored token. */
  open(): Promise<Client>;
  /** Prints data to stdout. */
  show<T>(value: T, text: Parameters<typeof show<T>>[3]): void;
  showLine<T>(value: T, text: Parameters<typeof showLine<T>>[3]): void;
  /** Prints messages to stderr. */
  say(text: string): void;
  /** Prints streamed output of a run, with or without a final newline. */
  pass(text: string): void;
  /** Shows progress until `work` is done. */
  during<T>(label: string, work: (tell: (far: Far) => void) => Promise<T>): Promise<T>;
  /** Asks the user; fails without a terminal. */
  ask(question: string, flag: string): Promise<string>;
  /** The same, without showing what is typed. */
  askSecret(question: string, flag: string): Promise<string>;
  isAsking: boolean;
}

export interface Given {
  url?: string;
  json?: boolean;
  text?: boolean;
  quiet?: boolean;
  input?: boolean;
  walletKey?: string;
}

/** JSON if requested, or if the output is not a terminal. */
export const formatOf = (world: World, { json, text, quiet, input }: Given): Format => ({
  json: json === true || (text !== true && world.stdout.isTTY !== true),
  quiet: quiet === true,
  bars: json !== true && input !== false,
});

export function contextOf(world: World, command: Command): Context {
  const given = command.optsWithGlobals<Given>();
  const format = formatOf(world, given);
  const options: Options = {
    ...format,
    input: given.input !== false,
    command: command.name(),
    ...(given.url === undefined ? {} : { url: given.url }),
    ...(given.walletKey === undefined ? {} : { walletKey: given.walletKey }),
  };
  const isAsking = options.input && world.stdin.isTTY === true && !world.env.CI;
  const beside = besideData(world, format);
  return {
    world,
    format,
    options,
    isAsking,
    open: () => openClient(world, options, beside.say),
    show: (value, text) => show(world, format, value, text),
    showLine: (value, text) => showLine(world, format, value, text),
    ...beside,
    async ask(question, flag) {
      if (!isAsking) throw usage(`Missing: ${question}.`, `Use ${flag}.`);
      return (await asked(world, safe(question), { shown: true })).trim();
    },
    async askSecret(question, flag) {
      if (!isAsking) throw usage(`Missing: ${question}.`, `Use ${flag}.`);
      return asked(world, safe(question), { shown: false });
    },
  };
}

/** The question goes to stderr, and what is typed with it where it is shown. */
async function asked(world: World, question: string, { shown }: { shown: boolean }): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = shown ? process.stderr : nowhere;
  const prompt = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  // The terminal has stopped showing what is typed by now.
  if (!shown) world.stderr.write(`${question}: `);
  const interrupted = new AbortController();
  // A prompt takes Ctrl-C for itself.
  prompt.once('SIGINT', () => interrupted.abort());
  try {
    const signal = AbortSignal.any([world.signal, interrupted.signal]);
    return await prompt.question(shown ? `${question}: ` : '', { signal });
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    throw new Failure('cli.interrupted', 'Interrupted.', {
      fix: 'Run the command again.',
      exit_code: EXIT.interrupted,
    });
  } finally {
    prompt.close();
    if (!shown) world.stderr.write('\n');
  }
}

/** Messages on stderr, with at most one progress indicator at a time. */
function besideData(world: World, format: Format): Pick<Context, 'say' | 'pass' | 'during'> {
  let progress: Progress | null = null;
  const aside = (text: string): void => {
    if (format.quiet) return;
    if (progress === null) world.stderr.write(text);
    else progress.aside(text);
  };
  return {
    say: (text) => aside(`${safe(text)}\n`),
    pass: (text) => aside(safe(text)),
    async during(label, work) {
      progress = startProgress(world, format, label);
      try {
        return await work(progress.tell);
      } finally {
        progress.end();
        progress = null;
      }
    },
  };
}
