/** The configuration file of a client, in JSON, TOML or YAML. Values are structured, so that they are escaped correctly. */

interface Config {
  format: 'json' | 'toml' | 'yaml';
  key: string;
  value: Record<string, unknown>;
}

export const configText = ({ format, key, value }: Config, name: string): string =>
  format === 'toml'
    ? toml(`${key}.${name}`, value)
    : format === 'yaml'
      ? yaml({ [key]: { [name]: value } })
      : jsonOf({ [key]: { [name]: value } });

const jsonOf = (value: unknown): string => JSON.stringify(value, null, 2);

/** Nested tables have headers. JSON strings and arrays are also valid TOML. */
function toml(table: string, value: Record<string, unknown>): string {
  const [inner, plain] = [
    Object.entries(value).filter(([, item]) => isTable(item)),
    Object.entries(value).filter(([, item]) => !isTable(item)),
  ];
  const lines = plain.map(([name, item]) => `${bareKey(name)} = ${JSON.stringify(item)}`);
  const own = lines.length === 0 ? [] : [[`[${table}]`, ...lines].join('\n')];
  return [
    ...own,
    ...inner.map(([name, item]) => toml(`${table}.${bareKey(name)}`, item as Record<string, unknown>)),
  ].join('\n\n');
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const bareKey = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

/** Values are written as JSON, which is also valid YAML. */
function yaml(value: Record<string, unknown>, indent = ''): string {
  return Object.entries(value)
    .map(([name, item]) =>
      isTable(item)
        ? `${indent}${bareKey(name)}:\n${yaml(item, `${indent}  `)}`
        : `${indent}${bareKey(name)}: ${JSON.stringify(item)}`,
    )
    .join('\n');
}
