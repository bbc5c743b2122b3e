import type { Static } from 'typebox';
import { defined } from '#core/defined.ts';
import { Type } from '#core/json-schema/type.ts';

/** What a server declares about the effects of a tool: the hints of MCP's tool annotations. Nobody checks them. Pure. */

const hint = (description: string) => Type.Optional(Type.Boolean({ description }));

export const ToolHints = Type.Object(
  {
    readOnlyHint: hint('It does not change its environment.'),
    destructiveHint: hint('It may delete or overwrite; false: it only adds.'),
    idempotentHint: hint('A second call with the same arguments changes nothing more.'),
    openWorldHint: hint('It reaches beyond the server, for instance the web.'),
  },
  {
    additionalProperties: false,
    description: 'As the server declares it in its `annotations`, unchecked. Missing members are not declared.',
  },
);
export type ToolHints = Static<typeof ToolHints>;

const NAMES = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** Undefined if nothing is declared. Accepts anything. */
export function hintsIn(annotations: unknown): ToolHints | undefined {
  if (typeof annotations !== 'object' || annotations === null) return undefined;
  const declared = NAMES.flatMap((name) => {
    const value: unknown = Object.hasOwn(annotations, name) ? (annotations as Record<string, unknown>)[name] : null;
    return typeof value === 'boolean' ? [[name, value] as const] : [];
  });
  return declared.length === 0 ? undefined : Object.fromEntries(declared);
}

/** Hints that mean something beside the others: whether a tool that only reads may delete has no meaning. */
export function hintWords({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: ToolHints): string[] {
  const reads = readOnlyHint === true;
  return Object.entries(
    defined({
      'read-only': reads || undefined,
      'changes data': (readOnlyHint === false && destructiveHint === undefined) || undefined,
      'may delete': (!reads && destructiveHint === true) || undefined,
      'only adds': (!reads && destructiveHint === false) || undefined,
      'safe to retry': (!reads && idempotentHint === true) || undefined,
      'reaches other services': openWorldHint === true || undefined,
      'reaches no other service': openWorldHint === false || undefined,
    }),
  ).map(([words]) => words);
}
