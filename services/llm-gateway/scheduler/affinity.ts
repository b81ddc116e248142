/** How many games are remembered. */
const MOST = 10_000;

/** Where each game was last at work: the memory there holds most of what its prompts begin with. */
export function lastServers() {
  const servers = new Map<string, string>();
  return {
    of: (game: string): string | undefined => servers.get(game),
    note(game: string, server: string): void {
      servers.delete(game);
      servers.set(game, server);
      if (servers.size > MOST) servers.delete(servers.keys().next().value!);
    },
    get size() {
      return servers.size;
    },
  };
}
