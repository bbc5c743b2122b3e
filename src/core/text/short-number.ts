let format: Intl.NumberFormat | undefined;

/** A count for people, `1.2K`. The format is made with the first: the tables behind it take 8 MB. */
export function shortNumber(count: number): string {
  format ??= new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
  return format.format(count);
}
