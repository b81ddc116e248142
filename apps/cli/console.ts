/**
 * Builds the page unless it is built already, and says so.
 * @throws Error where its packages are not installed
 */
export async function builtConsole(note: (text: string) => void): Promise<string> {
  const { buildConsole } = await import('@maw/console/build.ts');
  try {
    return await buildConsole(undefined, note);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('the page cannot be built: its packages are not installed; the launcher ./maw installs them', { cause: error });
  }
}

/**
 * The address of a table in a browser. What follows the `#` is never sent to a server; the page keeps it as its token.
 * @param operator the token of whoever runs the system, which the page keeps besides
 */
export const pageAddress = (at: string, table: string, token: string | undefined, operator?: string): string =>
  `${at}/t/${encodeURIComponent(table)}${token === undefined ? '' : `#token=${token}`}${operator === undefined ? '' : `&operator=${operator}`}`;
