const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** A size such as `1.2 GB`, in powers of 1,000. */
export function shortBytes(bytes: number): string {
  const at = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const size = bytes / 1_000 ** at;
  return `${size < 10 && at > 0 ? size.toFixed(1) : Math.round(size)} ${UNITS[at]}`;
}
