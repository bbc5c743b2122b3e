/** What stands in a client's configuration file, in the file's own language. Values come from our contract, not as text. */

export interface Config {
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

/** Tables within tables have a head of their own; texts and lists of JSON are also those of TOML. */
function toml(table: string, value: Record<string, unknown>): string {
  const [inner, plain] = [
    Object.entries(value).filter(([, it]) => isTable(it)),
    Object.entries(value).filter(([, it]) => !isTable(it)),
  ];
  const lines = plain.map(([name, it]) => `${bareKey(name)} = ${JSON.stringify(it)}`);
  const own = lines.length === 0 ? [] : [[`[${table}]`, ...lines].join('\n')];
  return [...own, ...inner.map(([name, it]) => toml(`${table}.${bareKey(name)}`, it as Record<string, unknown>))].join(
    '\n\n',
  );
}

const isTable = (it: unknown): it is Record<string, unknown> =>
  typeof it === 'object' && it !== null && !Array.isArray(it);

const bareKey = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

/** Values as JSON, which YAML reads, too. */
function yaml(value: Record<string, unknown>, indent = ''): string {
  return Object.entries(value)
    .map(([name, it]) =>
      isTable(it)
        ? `${indent}${bareKey(name)}:\n${yaml(it, `${indent}  `)}`
        : `${indent}${bareKey(name)}: ${JSON.stringify(it)}`,
    )
    .join('\n');
}
