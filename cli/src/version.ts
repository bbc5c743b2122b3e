/** Also sent to services, in the user agent. */
export const VERSION = '0.2.0';
