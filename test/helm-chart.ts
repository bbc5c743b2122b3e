import { parse } from 'yaml';
import { FILES, read } from './house/tree.ts';

/** The files of deploy/helm/capstan. */

const FOLDER = 'deploy/helm/capstan/';
export const CHART = parse(read(`${FOLDER}Chart.yaml`)) as { version: string; appVersion: string };
export const VALUES = parse(read(`${FOLDER}values.yaml`)) as Record<string, unknown>;
export const VALUES_SCHEMA = JSON.parse(read(`${FOLDER}values.schema.json`)) as Record<string, unknown>;
/** Content by name, such as `templates/service.yaml`. */
export const TEMPLATES: ReadonlyMap<string, string> = new Map(
  FILES.filter((path) => path.startsWith(`${FOLDER}templates/`)).map((path) => [path.slice(FOLDER.length), read(path)]),
);
