import { problemsOf } from '#core/http/openapi/problems.ts';
import type { OperationBase } from '#core/http/operation.ts';
import type { ErrorTable } from '#core/problem/error-table.ts';
import { PROBLEM_STATUS } from '#core/problem/problem.ts';
import { SERVICE } from '#core/service.ts';
import { CHAPTERS } from './chapters.ts';
import { notesOf } from './error-pages.ts';
import { operationMd } from './operation-md.ts';

/** The API documentation, generated from the contract. */

interface DocsSource {
  operations: readonly OperationBase[];
  contract_version: string;
  errors: ErrorTable;
  /** The URL in examples, without a trailing slash. */
  base_url: string;
}

export function renderDocs(source: DocsSource): string {
  const { operations, base_url } = source;
  const chapters = CHAPTERS.map((chapter) => ({
    ...chapter,
    operations: operations.filter(({ id }) => id.split('.')[1] === chapter.name),
  }));
  return [
    introduction(source),
    '## Operations\n',
    ...chapters
      .filter((chapter) => chapter.operations.length > 0)
      .map((chapter) => chapterMd(chapter.name, chapter.description, chapter.operations, base_url)),
    problemTable(source),
  ].join('\n');
}

const chapterMd = (name: string, description: string, operations: readonly OperationBase[], baseUrl: string): string =>
  [`### ${titleOf(name)}\n\n${description}\n`, ...operations.map((operation) => operationMd(operation, baseUrl))].join(
    '\n',
  );

/** `apiKeys` becomes `Api keys`. */
const titleOf = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const introduction = ({ base_url, contract_version }: DocsSource): string => `# The ${SERVICE.title} API

${SERVICE.description}

Service ${SERVICE.version}, contract ${contract_version}. The same as OpenAPI 3.1: [/api/schema](/api/schema).
A summary for language models: [/llms.txt](/llms.txt).

## First steps

Find a capability:

\`\`\`sh
curl -sS '${base_url}/api/marketplace/registry?search=weather&limit=3'
\`\`\`

Read a skill of this service, and fetch the file that runs:

\`\`\`sh
curl -sS '${base_url}/api/skills'
curl -sS '${base_url}/api/skills/json-diff/SKILL.md'
\`\`\`

Run it where the service is installed; the trace shows what happened and in which isolation:

\`\`\`sh
npm run capstand -- run skill/json-diff --example
\`\`\`

## Conventions

- **Format.** JSON in \`snake_case\`, UTF-8. Times are ISO 8601 in UTC. A missing string is \`""\`.
- **Authentication.** Public operations need no credential. The others require \`Authorization: Bearer <token>\`; sensitive ones also the
  headers \`x-wallet-signature\` and \`x-challenge-id\`, of a challenge requested with the same token and the \`purpose\` of the
  request. See each operation below.
- **Lists** return \`{items, total_count, limit, offset}\` and a \`Link\` header with \`next\` and \`prev\`. \`limit\` is 50
  unless given, at most 200. A value out of range is rejected, never clamped.
- **Strict input.** Unknown parameters and fields are rejected; the error lists the allowed names.
- **Paths** are decoded once. Encode a literal \`%\` in an id as \`%25\`.
- **Markdown.** If an operation supports Markdown, request it with \`Accept: text/markdown\`, \`/md\` or \`.md\`.
- **Caching.** Public GETs carry an \`ETag\`; send it as \`If-None-Match\` and an unchanged response returns 304 without a body.
  Responses are compressed with zstd, br or gzip according to \`Accept-Encoding\`.
- **CORS.** Public GETs allow every origin.
- **Limits.** A body is limited to 1 MiB, headers to 16 KiB in total.

## Errors

A problem is \`application/problem+json\` (RFC 9457): \`{type, title, status, detail, code, request_id, reason?, errors?,
retry_after?}\`. Match on \`code\`, and on \`reason\` if the code has reasons; \`detail\` is for people. \`type\` links to the
documentation of the code and its reasons. \`errors\` gives the location of invalid input:

\`\`\`sh
curl -sS '${base_url}/api/marketplace/registry?limit=1000'
\`\`\`

Every response has \`X-Request-Id\`. You can send your own (8 to 64 letters, digits, \`_ . -\`).
`;

function problemTable({ operations, errors }: DocsSource): string {
  const everywhere = [
    'http.not_found',
    'http.method_not_allowed',
    'http.request_timeout',
    'http.headers_too_large',
    'http.internal',
  ];
  const used = new Set([...operations.flatMap(problemsOf), ...everywhere]);
  const rows = Object.entries(notesOf(errors))
    .filter(([code]) => used.has(code))
    .map(
      ([code, { kind, meaning }]) => `| [\`${code}\`](/docs/errors/${code}) | ${PROBLEM_STATUS[kind]} | ${meaning} |`,
    );
  return `## Error codes\n\n| code | status | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}
