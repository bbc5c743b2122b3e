import { existsSync } from 'node:fs';
import { fileOf } from '#core/http/file-of.ts';
import type { OperationBase } from '#core/http/operation.ts';
import { pathMatcher } from '#core/http/path.ts';
import { OPERATIONS } from '../contract.ts';
import type { Command } from './command.ts';

export const whereCommand: Command = {
  summary: 'print the source file that handles a request: where GET /api/skills',
  usage: 'where <METHOD> <path> | where <operation id>',
  run: async ([method, path, ...more]) => {
    if (method === undefined || more.length > 0) {
      process.stderr.write('usage: capstand where <METHOD> <path> | capstand where <operation id>\n');
      return 2;
    }
    const operation =
      path === undefined
        ? OPERATIONS.find(({ id }) => id === method)
        : findOperation(OPERATIONS, method.toUpperCase(), path.split('?')[0] as string);
    if (operation === undefined) {
      const asked =
        path === undefined ? `No operation has the id ${method}.` : `No operation handles ${method} ${path}.`;
      process.stderr.write(`${asked} The operations are in openapi.yaml, the web pages in web/server/pages.ts.\n`);
      return 3;
    }
    process.stdout.write(`${fileThatAnswers(operation)}  ${operation.id}  ${operation.method} ${operation.path}\n`);
    return 0;
  },
};

/** In the router's order: fixed paths, then parameters, then wildcards. */
function findOperation(operations: readonly OperationBase[], method: string, path: string): OperationBase | undefined {
  const rank = (operation: OperationBase): number =>
    operation.wildcard !== undefined ? 2 : operation.path.includes('{') ? 1 : 0;
  return operations
    .filter((operation) => operation.method === method)
    .filter((operation) =>
      [operation.path, ...(operation.also ?? [])].some((template) => pathMatcher(operation, template)(path) !== null),
    )
    .toSorted((a, b) => rank(a) - rank(b) || b.path.length - a.path.length)[0];
}

function fileThatAnswers({ id }: OperationBase): string {
  const root = new URL('../../../', import.meta.url);
  const file = fileOf(id);
  return existsSync(new URL(file, root)) ? file : '(no file)';
}
