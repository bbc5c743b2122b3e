import type { Operation } from './openapi.ts';

/** The operation as one sends it from a terminal, with the examples of the contract. */
export function curlOf({ method, path, parameters, body, security }: Operation, base_url: string): string {
  const filled = path.replace(/\{(\w+)\}/g, (all, name) => {
    const example = parameters.find((it) => it.in === 'path' && it.name === name)?.example;
    return example === undefined ? all : encodeURIComponent(`${example}`);
  });
  const query = new URLSearchParams();
  for (const it of parameters) if (it.in === 'query' && it.example !== undefined) query.set(it.name, `${it.example}`);
  const needs_token = security.length > 0 && security.every((it) => Object.keys(it).length > 0);
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${base_url}${filled}${query.size === 0 ? '' : `?${query}`}'`,
    ...(needs_token ? [`-H "Authorization: Bearer $CAPSTAN_TOKEN"`] : []),
    ...(body === null
      ? []
      : [`-H 'Content-Type: ${body.media_type}'`, `-d '${bodyText(body.example).replaceAll("'", `'\\''`)}'`]),
  ].join(' \\\n  ');
}

const bodyText = (example: unknown): string => (typeof example === 'string' ? example : JSON.stringify(example ?? {}));
