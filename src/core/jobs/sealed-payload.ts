/**
 * The encryption context of a payload. The payload is `{"sealed": …}` with that member first, so that key rotation
 * finds it.
 */
export const payloadContext = (kind: string, key: string): string => `job|${kind}|${key}`;
