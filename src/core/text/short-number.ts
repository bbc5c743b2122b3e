let format: Intl.NumberFormat | undefined;

/** A count such as `1.2K`. The format is created on first use, because its tables take 8 MB. */
export function shortNumber(count: number): string {
  format ??= new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
  return format.format(count);
}
