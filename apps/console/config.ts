/** Runs a build with NODE_ENV=production: with any other value, such as Jest's, Vite takes React's development build. */
export async function withProductionEnv<T>(build: () => Promise<T>): Promise<T> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    return await build();
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}
