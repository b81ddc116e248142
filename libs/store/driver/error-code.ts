/** The code of what was thrown: the SQLSTATE of a database, ECONNREFUSED and its like of the system. */
export const errorCode = (thrown: unknown): string | undefined =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
