import type { TObject, TSchema } from 'typebox';
import { curlOf } from '#core/http/example-request.ts';
import { problemsOf } from '#core/http/openapi/problems.ts';
import type { Access, OperationBase } from '#core/http/operation.ts';

/** One operation in Markdown: description, input, a working example and responses. */

const ACCESS: Record<Access, string> = {
  public: 'Public.',
  optional: 'Public. A bearer token gives access to more.',
  jwt: 'Requires a bearer token.',
  fresh: 'Requires a bearer token, and a wallet signature or a sign-in within the last ten minutes.',
  sensitive: 'Requires a bearer token and a wallet signature.',
};

export function operationMd(operation: OperationBase, base_url: string): string {
  return [
    `#### ${operation.method} ${operation.path}\n`,
    `${operation.summary} (\`${operation.id}\`). ${ACCESS[operation.access]}\n`,
    `${operation.description}\n`,
    parameterTable(operation),
    `\`\`\`sh\n${curlOf(operation, base_url)}\n\`\`\`\n`,
    answers(operation),
    `Problems: ${problemsOf(operation)
      .map((problem) => `\`${problem}\``)
      .join(', ')}.\n`,
  ]
    .filter((text) => text !== '')
    .join('\n');
}

function parameterTable({ params, query }: OperationBase): string {
  const rows = [...rowsOf('path', params), ...rowsOf('query', query)];
  return rows.length === 0 ? '' : `| parameter | in | form | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

type Property = TSchema & { type?: string; enum?: unknown[]; default?: unknown; minimum?: number; maximum?: number };

function rowsOf(place: string, of: TObject | undefined): string[] {
  const required: readonly string[] = of?.required ?? [];
  return Object.entries((of?.properties ?? {}) as Record<string, Property & { description?: string }>).map(
    ([name, property]) => {
      const must = required.includes(name) && !('default' in property) ? ' Required.' : '';
      const fallback = 'default' in property ? ` Default \`${property.default}\`.` : '';
      return `| \`${name}\` | ${place} | ${formOf(property)} | ${cell(property.description ?? '')}${fallback}${must} |`;
    },
  );
}

function formOf(property: Property): string {
  if (property.enum !== undefined)
    return property.enum
      .filter((value) => value !== '')
      .map((value) => `\`${value}\``)
      .join(', ');
  const { minimum, maximum } = property;
  if (minimum === undefined && maximum === undefined) return property.type ?? 'any';
  return `${property.type}, ${maximum === undefined ? `${minimum} or more` : `${minimum ?? '…'} to ${maximum}`}`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

const answers = (operation: OperationBase): string =>
  Object.entries(operation.answers)
    .map(([status, { description, content }]) => {
      const types = Object.keys(content).map((key) => `\`${key}\``);
      return `Returns ${status}${types.length === 0 ? '' : ` (${types.join(', ')})`}: ${description}\n`;
    })
    .join('\n');
