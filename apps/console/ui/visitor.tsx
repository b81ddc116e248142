import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { createClient, type ApiClient } from '@maw/api-client/client.ts';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import type { Me } from '../api/shapes.ts';
import { findToken, hasKeptToken, hearSignOut, keepToken, restoreToken, settleToken, signOut, type TokenStores } from '../api/token.ts';
import { useRequest } from './use-request.ts';

/** How long a click is tried to be carried out before the person learns that it failed, in milliseconds of pauses. */
const RETRY_MS = 10_000;

const stores = (): TokenStores => ({ tab: sessionStorage, browser: localStorage });

interface Tokens {
  /** Changes whenever a token does. */
  readonly version: number;
  keep(table: string | undefined, token: string): void;
  forgetAll(): void;
  /** Whether the browser keeps the token of a seat at the table that this tab does not use. */
  hasSeat(table: string): boolean;
  goBackToSeat(table: string): void;
}

const TokensContext = createContext<Tokens | undefined>(undefined);

export function TokensProvider({ children }: { readonly children: ReactNode }) {
  const [version, setVersion] = useState(0);
  const changed = useCallback(() => setVersion((count) => count + 1), []);
  useEffect(() => {
    const hear = ({ key }: StorageEvent): void => {
      if (hearSignOut(stores(), key)) changed();
    };
    addEventListener('storage', hear);
    return () => removeEventListener('storage', hear);
  }, [changed]);
  const tokens = useMemo(
    (): Tokens => ({
      version,
      keep: (table, token) => (keepToken(stores(), table, token), changed()),
      forgetAll: () => (signOut(stores()), changed()),
      hasSeat: (table) => hasKeptToken(stores(), table),
      goBackToSeat: (table) => (restoreToken(stores(), table), changed()),
    }),
    [version, changed],
  );
  return <TokensContext value={tokens}>{children}</TokensContext>;
}

export const useTokens = (): Tokens => use(TokensContext)!;

export interface Visitor {
  readonly client: ApiClient;
  /** Undefined until the server has answered. */
  readonly me: Me | undefined;
  readonly problem: ApiProblem | undefined;
  reload(): void;
}

/** Who looks at a table, or at the pages that are about none. */
export function useVisitor(table?: string): Visitor {
  const { version } = useTokens();
  const token = useMemo(() => findToken(stores(), table), [table, version]);
  const client = useMemo(() => createClient({ at: location.origin, token, retryMs: RETRY_MS }), [token]);
  const {
    value: me,
    problem,
    reload,
  } = useRequest(
    async (patience) => {
      const who = await client.get('/me', {}, patience);
      if (token !== undefined) settleToken(stores(), table, token, who.role);
      return who;
    },
    [client, table],
  );
  return { client, me, problem: me ? undefined : problem, reload };
}
