import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { OperationBase } from './operation.ts';

/** Converts contract paths (`/api/skills/{name}/{path}`) to Fastify routes and to exact patterns over the raw path. */

/** `/registry/{provider}/{id}` with the wildcard `id` becomes `/registry/:provider/*`. */
export const routeOf = ({ wildcard }: OperationBase, path: string): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => (name === wildcard ? '*' : `:${name}`));

type PathMatcher = (rawPath: string) => Record<string, string> | null;

/** Takes parameters from the raw path and decodes them exactly once. Returns null if the path does not match. */
export function pathMatcher({ wildcard }: OperationBase, path: string): PathMatcher {
  const names: string[] = [];
  const source = path
    .split(/(\{\w+\})/)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      names.push(name);
      return name === wildcard ? '(.+)' : '([^/]+)';
    })
    .join('');
  const pattern = new RegExp(`^${source}$`, 's');
  return (rawPath) => {
    const match = pattern.exec(rawPath);
    if (match === null) return null;
    return Object.fromEntries(names.map((name, index) => [name, decodeOnce(match[index + 1] as string)]));
  };
}

/** Returns the path with these parameters in canonical form, however the request encoded it. */
export const targetOf = ({ path }: Pick<OperationBase, 'path'>, params: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] as string));

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw malformedPath(cause);
  }
}

export const malformedPath = (cause?: unknown): Problem =>
  coreProblem('http.invalid', 'Malformed percent-encoding in the path. Encode a literal % as %25.', {
    reason: 'path',
    cause,
  });

export const noSuchPath = (): Problem =>
  coreProblem('http.not_found', 'Path not found. GET / lists the available endpoints.');
