import { readdir, readFile } from 'node:fs/promises';

/** The guides of this version, by name. */
export async function readGuides(): Promise<Map<string, string>> {
  const directory = new URL('../../docs/guides/', import.meta.url);
  const names = (await readdir(directory)).filter((name) => name.endsWith('.md')).toSorted();
  const texts = names.map(
    async (name): Promise<[string, string]> => [name.slice(0, -3), await readFile(new URL(name, directory), 'utf8')],
  );
  return new Map(await Promise.all(texts));
}

/** `openapi.yaml` of this version. */
export const readOpenApi = (): Promise<string> => readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8');
