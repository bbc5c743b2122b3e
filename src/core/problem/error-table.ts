import { Problem, type ProblemKind, type ProblemOptions } from './problem.ts';

/** What a wing lists in its `errors.ts`: every code with its status and the texts of its page. */

export interface ErrorReason {
  /** What happened, and why. Markdown. */
  why: string;
  /** What to do. Markdown. */
  fix: string;
  /** Former codes. Their URLs lead to this reason. */
  aliases?: readonly string[];
}

export interface ErrorEntry {
  kind: ProblemKind;
  /** One sentence, also in `openapi.yaml`. Markdown, like `why` and `fix`. */
  title: string;
  why: string;
  fix: string;
  /** The members of an example that differ from one failure to the next. */
  example: { detail: string; reason?: string; [member: string]: unknown };
  /** Members beside the standard ones, with their meaning. */
  members?: Readonly<Record<string, string>>;
  /** The values of `reason`. A code with reasons always has one of them. */
  reasons?: Readonly<Record<string, ErrorReason>>;
  /** Former codes. */
  aliases?: readonly string[];
}

/** By code: `<area>.<name>`. */
export type ErrorTable = Readonly<Record<string, ErrorEntry>>;

type ReasonOf<E extends ErrorEntry> = E extends { reasons: infer R } ? keyof R & string : never;

type OptionsOf<E extends ErrorEntry> = [ReasonOf<E>] extends [never]
  ? [options?: ProblemOptions & { reason?: never }]
  : [options: ProblemOptions & { reason: ReasonOf<E> }];

/** Makes the Problems of a wing. An unknown code, a missing reason and one of another code are type errors. */
export const problemOf =
  <const T extends ErrorTable>(table: T) =>
  <C extends keyof T & string>(code: C, detail: string, ...[options]: OptionsOf<T[C]>): Problem =>
    new Problem((table[code] as ErrorEntry).kind, code, detail, options);
