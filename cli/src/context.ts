import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { type Client, type ClientOptions, openClient } from './client.ts';
import { usage } from './failure.ts';
import { type Format, say, show, showLine } from './output.ts';
import type { World } from './world.ts';

/** The options that every command has. */
export interface Options extends ClientOptions {
  input: boolean;
}

/** What a command works with. */
export interface Context {
  world: World;
  format: Format;
  options: Options;
  /** The service, with the token that is kept for it. */
  open(): Promise<Client>;
  /** Data. */
  show<T>(value: T, text: Parameters<typeof show<T>>[3]): void;
  showLine<T>(value: T, text: Parameters<typeof showLine<T>>[3]): void;
  /** Beside the data. */
  say(text: string): void;
  /** Asks the user; refused where nobody can answer. */
  ask(question: string, flag: string): Promise<string>;
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

/** JSON where it is asked for, or where no person reads. */
export const formatOf = (world: World, { json, text, quiet }: Given): Format => ({
  json: json === true || (text !== true && world.stdout.isTTY !== true),
  quiet: quiet === true,
});

export function contextOf(world: World, command: Command): Context {
  const given = command.optsWithGlobals<Given>();
  const format = formatOf(world, given);
  const options: Options = {
    ...{ ...format, input: given.input !== false },
    ...(given.url === undefined ? {} : { url: given.url }),
    ...(given.walletKey === undefined ? {} : { walletKey: given.walletKey }),
  };
  const isAsking = options.input && world.stdin.isTTY === true && !world.env.CI;
  return {
    ...{ world, format, options, isAsking, open: () => openClient(world, options) },
    show: (value, text) => show(world, format, value, text),
    showLine: (value, text) => showLine(world, format, value, text),
    say: (text) => say(world, format, text),
    async ask(question, flag) {
      if (!isAsking) throw usage(`${question} is not given.`, `Give it with ${flag}.`);
      const prompt = createInterface({ input: process.stdin, output: process.stderr });
      try {
        return (await prompt.question(`${question}: `, { signal: world.signal })).trim();
      } finally {
        prompt.close();
      }
    },
  };
}
