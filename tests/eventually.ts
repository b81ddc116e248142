/** Waits until something holds, looking again and again. @throws Error after `ms` */
export async function eventually<T>(fact: () => T | Promise<T>, what: string, ms = 600_000): Promise<NonNullable<T>> {
  for (const deadline = Date.now() + ms; ; await new Promise((resolve) => setTimeout(resolve, 5))) {
    const found = await fact();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`it never came: ${what}`);
  }
}
