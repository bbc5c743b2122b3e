import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Client } from './client.ts';
import { type Context, contextOf } from './context.ts';
import type { Paint } from './output.ts';
import type { World } from './world.ts';

/** Commands as data: each file of `commands/` defines its own. */

/** A command or a group of commands. */
export type Part = (parent: Command, world: World) => void;

interface OptionWords {
  about: string;
  default?: string | number;
  choices?: readonly string[];
  /** The option may be repeated. */
  many?: true;
  /** The value is a whole number. */
  whole?: true;
  required?: true;
}

type Options = Readonly<Record<string, string | OptionWords>>;

/** `C` is its context, `A` its arguments and options, `T` its result. */
interface Particulars<W extends string, O extends Options, C, T> {
  /** A line for the list of commands; by default `about`. */
  summary?: string;
  about: string;
  /** Descriptions of its arguments by name. */
  args?: Readonly<Record<string, string | { about: string; choices: readonly string[] }>>;
  options?: O;
  /** The default command of its group. */
  isDefault?: boolean;
  /** Its result is shown, unless undefined. */
  call(value: C, asked: Asked<W, O>): Promise<T>;
  text?(answer: NoInfer<Answered<T>>, paint: Paint): string;
  /** Lists print nothing when they are empty, so this says that they are, and what to do. A function answers null for one that is not. */
  empty?: string | ((answer: NoInfer<T>, asked: Asked<W, O>) => string | null);
  /** Messages after the result; throws if the result means a failure. */
  after?(value: C, answer: NoInfer<T>, asked: Asked<W, O>): void;
}

type Answered<T> = Exclude<T, undefined>;

/** The service, opened with its stored token, and the program's environment. */
export type Service = Context & Client;

/** `words` are its name and arguments: `call <id> <tool>`. An argument or option without a value is undefined. */
export const command = <const W extends string, T, const O extends Options = Record<never, never>>(
  words: W,
  particulars: Particulars<W, O, Service, T>,
): Part => partOf(words, particulars, async (context) => ({ ...context, ...(await context.open()) }));

/** A command that may work without the service. */
export const localCommand = <const W extends string, T, const O extends Options = Record<never, never>>(
  words: W,
  particulars: Particulars<W, O, Context, T>,
): Part => partOf(words, particulars, async (context) => context);

export const group =
  (name: string, { summary, about }: { summary: string; about: string }, parts: readonly Part[]): Part =>
  (parent, world) => {
    const made = parent.command(name).summary(summary).description(about);
    for (const part of parts) part(made, world);
  };

function partOf<W extends string, O extends Options, C extends Context, T>(
  words: W,
  particulars: Particulars<W, O, C, T>,
  open: (context: Context) => Promise<C>,
): Part {
  const [name, ...args] = words.split(' ') as [string, ...string[]];
  return (parent, world) => {
    const made = parent.command(name, { isDefault: particulars.isDefault === true }).description(particulars.about);
    if (particulars.summary !== undefined) made.summary(particulars.summary);
    for (const arg of args) made.addArgument(argumentOf(arg, particulars.args?.[nameOf(arg)] ?? ''));
    for (const [flags, given] of Object.entries(particulars.options ?? {})) made.addOption(optionOf(flags, given));
    made.action(async () => {
      const working = await open(contextOf(world, made));
      const asked = askedOf(made) as Asked<W, O>;
      const answer = await particulars.call(working, asked);
      if (answer !== undefined)
        working.show(answer as Answered<T>, (value, paint) => particulars.text?.(value, paint) ?? '');
      const { empty } = particulars;
      const said = typeof empty === 'function' ? empty(answer, asked) : isEmptyList(answer) ? empty : null;
      if (said != null && !working.format.json) working.say(said);
      particulars.after?.(working, answer, asked);
    });
  };
}

const isEmptyList = (answer: unknown): boolean => (answer as { items?: unknown[] } | undefined)?.items?.length === 0;

function argumentOf(words: string, about: string | { about: string; choices: readonly string[] }): Argument {
  if (typeof about === 'string') return new Argument(words, about);
  return new Argument(words, about.about).choices(about.choices);
}

function optionOf(flags: string, given: string | OptionWords): Option {
  const words: OptionWords = typeof given === 'string' ? { about: given } : given;
  const option = new Option(flags, words.about).makeOptionMandatory(words.required === true);
  if (words.default !== undefined) option.default(words.default);
  if (words.whole === true) option.argParser(whole);
  if (words.choices !== undefined) option.choices(words.choices);
  if (words.many === true) option.default([], 'none').argParser((one, all) => [...(all as string[]), one]);
  return option;
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected an integer.');
  return Number(text);
}

const nameOf = (arg: string): string => arg.replace(/[<>[\].]/g, '');

function askedOf(made: Command): Record<string, unknown> {
  const flags = made.options.filter((option) => option.isBoolean()).map((option) => [option.attributeName(), false]);
  const args = made.registeredArguments.map((argument, at) => [argument.name(), made.processedArgs[at]]);
  return { ...Object.fromEntries(flags), ...made.opts(), ...Object.fromEntries(args) };
}

/** Arguments and options by name, typed by the command's words and options. */
type Asked<W extends string, O extends Options> = ArgsOf<W> & {
  [F in keyof O & string as Camel<LongOf<F>>]: ValueOf<F, O[F]>;
};

type ArgsOf<W extends string> = W extends `${infer First} ${infer Rest}` ? ArgOf<First> & ArgsOf<Rest> : ArgOf<W>;

type ArgOf<W extends string> = W extends `<${infer N}...>` | `[${infer N}...]`
  ? Record<N, string[]>
  : W extends `<${infer N}>`
    ? Record<N, string>
    : W extends `[${infer N}]`
      ? Record<N, string | undefined>
      : unknown;

/** `-i, --input <json>` is `input`, `--no-wait` is `wait`. */
type LongOf<F extends string> = F extends `${string}, ${infer L}`
  ? LongOf<L>
  : F extends `--no-${infer N}`
    ? N
    : F extends `--${infer N} ${string}`
      ? N
      : F extends `--${infer N}`
        ? N
        : never;

type Camel<N extends string> = N extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : N;

type ValueOf<F extends string, V> = F extends `${string}<${string}`
  ? V extends { many: true }
    ? string[]
    : One<V> | (V extends { default: unknown } | { required: true } ? never : undefined)
  : boolean;

type One<V> = V extends { whole: true } ? number : V extends { choices: readonly (infer C)[] } ? C : string;
