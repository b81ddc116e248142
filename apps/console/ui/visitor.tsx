import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { createClient, type ApiClient } from '@maw/api-client/client.ts';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import type { Me } from '../api/shapes.ts';
import {
  findToken,
  hasKeptToken,
  hearSignOut,
  keepToken,
  restoreToken,
  settleToken,
  signOut,
  tableInPath,
  type TokenStores,
} from '../api/token.ts';
import { en } from '../text/en.ts';
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
  /** The server has said whose token this is. */
  settle(table: string | undefined, token: string, role: Me['role']): void;
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
      settle: (table, token, role) => settleToken(stores(), table, token, role) && changed(),
    }),
    [version, changed],
  );
  return (
    <TokensContext value={tokens}>
      <OperatorProvider>{children}</OperatorProvider>
    </TokensContext>
  );
}

export const useTokens = (): Tokens => use(TokensContext)!;

export interface Visitor {
  readonly client: ApiClient;
  /** Undefined until the server has answered. */
  readonly me: Me | undefined;
  readonly problem: ApiProblem | undefined;
  reload(): void;
}

/** A client for a token that is not kept, or for none. */
export const clientWith = (token: string | undefined): ApiClient => createClient({ at: location.origin, token, retryMs: RETRY_MS });

/** Who looks at a table, or at the pages that are about none. */
export function useVisitor(table?: string): Visitor {
  const { version, settle } = useTokens();
  const token = useMemo(() => findToken(stores(), table), [table, version]);
  const client = useMemo(() => clientWith(token), [token]);
  const {
    value: me,
    problem,
    reload,
  } = useRequest(
    async (patience) => {
      const who = await client.get('/me', {}, patience);
      if (token !== undefined) settle(table, token, who.role);
      return who;
    },
    [client, table],
  );
  return { client, me, problem: me ? undefined : problem, reload };
}

/** The right to what is about no single table: lists, new tables, invitations, operating. A person may hold it beside the token of a seat. */
export interface Operator extends Visitor {
  /** Known to have it. Nothing that takes it is offered to others. */
  readonly mayOperate: boolean;
}

const OperatorContext = createContext<Operator | undefined>(undefined);

function OperatorProvider({ children }: { readonly children: ReactNode }) {
  const { version } = useTokens();
  const [address] = useLocation();
  const hasOwn = useMemo(() => findToken(stores(), undefined) !== undefined, [version]);
  // Without a token for every table, that of the table says whether the system is open: nobody asks for what is refused.
  const visitor = useVisitor(hasOwn ? undefined : tableInPath(address));
  const anybody = useMemo(() => clientWith(undefined), []);
  const { me } = visitor;
  const isAdmin = me?.role === 'admin';
  const client = me?.isOpen && !isAdmin ? anybody : visitor.client;
  return <OperatorContext value={{ ...visitor, client, mayOperate: isAdmin || (me?.isOpen ?? false) }}>{children}</OperatorContext>;
}

export const useOperator = (): Operator => use(OperatorContext)!;

/** Leads to the list of tables, for those who may see it. */
export function HomeLink() {
  const isOffered = use(OperatorContext)?.mayOperate ?? false;
  return isOffered ? <Link href="/">{en.problem.home}</Link> : null;
}
