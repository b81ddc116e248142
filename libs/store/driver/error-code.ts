/** The `code` of an error: an SQLSTATE, or a system code such as ECONNREFUSED. */
export const errorCode = (thrown: unknown): string | undefined =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
