import type { PackageSetting } from '#core/mcp/packaged-servers.ts';
import type { PackageInput } from './package.ts';

/** The inputs of a prepared package as settings that a user is asked for. */
export const settingsOf = (inputs: readonly PackageInput[]): PackageSetting[] =>
  inputs.map(({ name, description = '', type, required, sensitive, multiple, default: preset, min, max }) => ({
    name,
    description,
    type,
    required,
    sensitive,
    multiple,
    default: preset === null ? '' : Array.isArray(preset) ? preset.join('\n') : `${preset}`,
    min: min ?? null,
    max: max ?? null,
  }));
