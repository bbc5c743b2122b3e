/** Whether the service's contract is the one that this client was made from, by semantic versioning. */

export type DriftLevel = 'none' | 'patch' | 'minor' | 'major';

export interface Drift {
  level: DriftLevel;
  /** Which of the two is newer; null if they are equal. */
  newer: 'client' | 'service' | null;
  client_version: string;
  service_version: string;
  /** The meaning and the fix. */
  advice: string;
}

type Version = [major: number, minor: number, patch: number];

/** Before 1.0.0, breaking changes increment the second number (semantic versioning). */
export function driftOf(client_version: string, service_version: string): Drift {
  const [ours, theirs] = [readVersion(client_version), readVersion(service_version)];
  const versions = { client_version, service_version };
  if (ours === null || theirs === null)
    return {
      ...versions,
      level: 'major',
      newer: null,
      advice: `\`${service_version}\` is no version of a contract. Is this a Capstan service?`,
    };
  const place = ours.findIndex((value, at) => value !== theirs[at]);
  if (place === -1)
    return { ...versions, level: 'none', newer: null, advice: 'Client and service have the same contract.' };
  const newer = (ours[place] as number) > (theirs[place] as number) ? 'client' : 'service';
  const level = (['major', 'minor', 'patch'] as const)[
    ours[0] === 0 && theirs[0] === 0 && place === 1 ? 0 : place
  ] as DriftLevel;
  return { ...versions, level, newer, advice: adviceOf(level, newer, client_version, service_version) };
}

function readVersion(text: string): Version | null {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(text);
  return match === null ? null : [Number(match[1]), Number(match[2]), Number(match[3])];
}

function adviceOf(level: DriftLevel, newer: 'client' | 'service', client: string, service: string): string {
  const facts = `The service's contract is ${service}, this client's ${client}`;
  const act =
    newer === 'service' ? 'install a newer @capstan/sdk' : 'install an older @capstan/sdk, or renew the service';
  if (level === 'patch') return `${facts}: nothing that a call could notice. There is nothing to do.`;
  if (level === 'major') return `${facts}: calls may fail or mean another thing. Before you go on, ${act}.`;
  return newer === 'service'
    ? `${facts}: every call works, and newer operations are not here yet. To have them, ${act}.`
    : `${facts}: calls of newer operations will be answered with 404. To be sure, ${act}.`;
}
