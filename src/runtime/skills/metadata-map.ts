/** A map in the metadata of a skill. Some write it as JSON in a text. Anything else is an empty map. */
export function metadataMap(value: unknown): Record<string, unknown> {
  if (typeof value === 'string' && value.startsWith('{') && value.length < 16_384) {
    try {
      return metadataMap(JSON.parse(value));
    } catch {
      return {};
    }
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
