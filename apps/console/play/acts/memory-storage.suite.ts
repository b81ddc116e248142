/** A Storage in memory: its keys are its own properties, as in a browser. */
export const memoryStorage = (): Storage =>
  Object.create(
    {
      getItem(this: { [key: string]: string }, key: string) {
        return Object.hasOwn(this, key) ? this[key]! : null;
      },
      setItem(this: { [key: string]: string }, key: string, value: string) {
        this[key] = value;
      },
      removeItem(this: { [key: string]: string }, key: string) {
        delete this[key];
      },
    },
    {},
  ) as Storage;
