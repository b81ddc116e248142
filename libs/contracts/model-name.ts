/** Whether a text can be the name of a model: `name`, `name:tag`, `host/owner/name:tag`. */
export const isModelName = (name: string): boolean =>
  name.length <= 200 && /^\w[\w.-]*(?::\d+(?=\/))?(?:\/\w[\w.-]*)*(?::\w[\w.-]*)?$/.test(name);

/** Whether a model runs in Ollama's cloud instead of on the server: `name:cloud`, `name:120b-cloud`. */
export const isCloud = (name: string): boolean => /[:-]cloud$/i.test(name);

/** The same for all names of one model: the tag `latest` may be omitted, and case does not matter. */
export const keyOf = (name: string): string => {
  const isTagged = name.slice(name.lastIndexOf('/') + 1).includes(':');
  return (isTagged ? name : `${name}:latest`).toLowerCase();
};
