import { jsonFault } from '#core/text/keepable.ts';
import { type Place, placesIn, START } from '#core/text/lines.ts';
import { type Path, readYamlMap } from '#core/yaml/read-yaml-map.ts';
import { rigOf } from './parse-rig.ts';
import { RIG_LIMITS, type Rig } from './rig.ts';
import { type RigFault, rigReader } from './rig-reader.ts';

/** Work for a thread of the worker pool: parses an untrusted rig.yaml and locates its parts. */

interface ParseRequest {
  text: string;
  /** Parts whose places are asked for beside the rig. */
  paths: readonly Path[];
}

export type ParsedRig =
  | { is_readable: false; detail: string; place: Place }
  | { is_readable: true; rig: Rig; faults: (RigFault & { place: Place })[]; places: Place[] };

export function run({ text, paths }: ParseRequest): ParsedRig {
  const unreadable = (detail: string, place: Place = START): ParsedRig => ({ is_readable: false, detail, place });
  if (text.includes('\0') || !text.isWellFormed()) return unreadable('is not plain text');
  const yaml = readYamlMap(text, RIG_LIMITS, 'content');
  const placeAt = placesIn(text);
  if (!yaml.ok) return unreadable(yaml.detail, placeAt(yaml.offset));
  const fault = jsonFault(yaml.value);
  if (fault !== null) return unreadable(fault);
  const reader = rigReader();
  const rig = rigOf(reader, yaml.value);
  const placeOf = (path: Path): Place => placeAt(yaml.offsetOf(path));
  return {
    is_readable: true,
    rig,
    faults: reader.faults.map((found) => ({ ...found, place: placeOf(found.path) })),
    places: paths.map(placeOf),
  };
}
