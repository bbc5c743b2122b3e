import type { Operation } from './openapi.ts';

/** The operation as a curl command, with the examples of the contract. */
export function curlOf({ method, path, parameters, body, security }: Operation, base_url: string): string {
  const filled = path.replace(/\{(\w+)\}/g, (all, name) => {
    const example = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.example;
    return example === undefined ? all : encodeURIComponent(`${example}`);
  });
  const query = new URLSearchParams();
  for (const parameter of parameters)
    if (parameter.in === 'query' && parameter.example !== undefined) query.set(parameter.name, `${parameter.example}`);
  const needsToken = security.length > 0 && security.every((node) => Object.keys(node).length > 0);
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${base_url}${filled}${query.size === 0 ? '' : `?${query}`}'`,
    ...(needsToken ? [`-H "Authorization: Bearer $CAPSTAN_TOKEN"`] : []),
    ...(body === null
      ? []
      : [`-H 'Content-Type: ${body.media_type}'`, `-d '${bodyText(body.example).replaceAll("'", `'\\''`)}'`]),
  ].join(' \\\n  ');
}

const bodyText = (example: unknown): string => (typeof example === 'string' ? example : JSON.stringify(example ?? {}));
