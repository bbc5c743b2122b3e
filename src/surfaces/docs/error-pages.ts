import type { ProblemNotes } from '#core/http/openapi/problems.ts';
import { titleOf } from '#core/http/problem-body.ts';
import type { ErrorEntry, ErrorReason, ErrorTable } from '#core/problem/error-table.ts';
import { PROBLEM_STATUS } from '#core/problem/problem.ts';

/** The pages of `docs/errors` and of `/docs/errors/{code}`, made from the tables of the wings. */

/** What the contract says about each code. */
export const notesOf = (errors: ErrorTable): ProblemNotes =>
  Object.fromEntries(Object.entries(errors).map(([code, { kind, title }]) => [code, { kind, meaning: title }]));

/** Where the URL of a former code leads: the code's page, at the reason if there is one. */
export function formerCodes(errors: ErrorTable): Map<string, { code: string; reason: string | null }> {
  const former = new Map<string, { code: string; reason: string | null }>();
  const isGone = (alias: string): boolean => !Object.hasOwn(errors, alias);
  for (const [code, { aliases = [], reasons = {} }] of Object.entries(errors)) {
    for (const alias of aliases.filter(isGone)) former.set(alias, { code, reason: null });
    for (const [reason, { aliases: own = [] }] of Object.entries(reasons))
      for (const alias of own.filter(isGone)) former.set(alias, { code, reason });
  }
  return former;
}

export function errorPage(code: string, entry: ErrorEntry): string {
  const { kind, title, why, fix, reasons = {}, members = {} } = entry;
  const parts = [
    `# ${code}`,
    title,
    `**Status.** ${PROBLEM_STATUS[kind]}`,
    `**Why.** ${why}`,
    `**What to do.**${before(fix)}${fix}`,
    ...sectionOf('Reasons', Object.entries(reasons).map(reasonMd)),
    ...sectionOf('Members', listOf(Object.entries(members).map(([name, text]) => `\`${name}\`: ${text}`))),
    '## Example',
    `\`\`\`json\n${JSON.stringify(exampleOf(code, entry), null, 2)}\n\`\`\``,
    ...sectionOf('Former codes', listOf(formerOf(entry))),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** `docs/errors/README.md`. */
export function errorIndex(errors: ErrorTable): string {
  const rows = Object.entries(errors).map(
    ([code, { kind, title }]) => `| [\`${code}\`](${code}.md) | ${PROBLEM_STATUS[kind]} | ${title} |`,
  );
  const former = [...formerCodes(errors)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([alias, { code, reason }]) =>
        `| \`${alias}\` | [\`${code}\`](${code}.md${reason === null ? '' : `#${reason}`}) | ${reason === null ? '' : `\`${reason}\``} |`,
    );
  return `# Error codes

Generated from \`src/*/errors.ts\`. Match on \`code\`, and on \`reason\` if the code has reasons.

| code | status | meaning |
|---|---|---|
${rows.join('\n')}

## Former codes

Version 0.1 sent these. Their URLs lead to the page of the new code.

| former code | code | reason |
|---|---|---|
${former.join('\n')}
`;
}

const sectionOf = (title: string, blocks: readonly string[]): string[] =>
  blocks.length === 0 ? [] : [`## ${title}`, ...blocks];

const listOf = (items: readonly string[]): string[] =>
  items.length === 0 ? [] : [items.map((item) => `- ${item}`).join('\n')];

const before = (text: string): string => (/^(?:- |```)/.test(text) ? '\n\n' : ' ');

const reasonMd = ([reason, { why, fix }]: [string, ErrorReason]): string =>
  `### ${reason}\n\n${why}\n\n**What to do.**${before(fix)}${fix}`;

const formerOf = ({ aliases = [], reasons = {} }: ErrorEntry): string[] => [
  ...aliases.map((alias) => `\`${alias}\``),
  ...Object.entries(reasons).flatMap(([reason, { aliases: own = [] }]) =>
    own.map((alias) => `\`${alias}\` is the reason \`${reason}\``),
  ),
];

function exampleOf(code: string, { kind, example }: ErrorEntry): Record<string, unknown> {
  const { detail, ...members } = example;
  return {
    type: `/docs/errors/${code}`,
    title: titleOf(kind),
    status: PROBLEM_STATUS[kind],
    detail,
    code,
    request_id: '019a8c1e-7f00-7000-8000-3b1f6f4f9a10',
    ...members,
  };
}
