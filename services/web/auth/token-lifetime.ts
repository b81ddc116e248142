const DAY_MS = 86_400_000;

export const DEFAULT_TOKEN_MS = 7 * DAY_MS;
export const DEFAULT_ADMIN_TOKEN_MS = DAY_MS;

/** When a token expires that is issued now, milliseconds since the epoch: a whole second, at least one from now. */
export const expiryOf = (now: number, ttlMs: number): number => (Math.floor(now / 1000) + Math.max(1, Math.floor(ttlMs / 1000))) * 1000;
