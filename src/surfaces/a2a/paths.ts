/** Paths of A2A. */
export const A2A_PATH = '/a2a/core-agent';
export const CARD_PATH = '/.well-known/agent-card.json';
export const A2A_VERSION = '1.0';
