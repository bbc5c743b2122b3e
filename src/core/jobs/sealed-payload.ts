/** What a sealed payload is bound to. It stands as `{"sealed": …}`, the first member, so that rotation finds it. */
export const payloadContext = (kind: string, key: string): string => `job|${kind}|${key}`;
