import type { ServerRegistry } from './registry.ts';

/** The key of the first model that makes embeddings, of a server that is up. */
export function embeddingModel({ all }: Pick<ServerRegistry, 'all'>): string | undefined {
  for (const { health, models } of all)
    if (health.isUp) for (const key of models.keys()) if (models.get(key)?.capabilities?.includes('embedding')) return key;
  return undefined;
}

/**
 * Whether every server that has a model says that it makes no embeddings. Only Ollama says what a model can do: of others its name tells, which is
 * not enough to refuse it.
 */
export function makesNoEmbeddings({ all }: Pick<ServerRegistry, 'all'>, key: string): boolean {
  const having = all.filter(({ models }) => models.mayHave(key));
  return (
    having.length > 0 &&
    having.every(({ provider, models }) => {
      const capabilities = provider.kind === 'ollama' ? models.get(key)?.capabilities : undefined;
      return capabilities !== undefined && !capabilities.includes('embedding');
    })
  );
}
