import { type ComponentType, lazy, Suspense } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import type { ApiClient } from '@maw/api-client/client.ts';
import { en } from '../text/en.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { HomeLink, TokensProvider, useOperator, useTokens, useVisitor } from '../ui/visitor.tsx';
import styles from '../ui/ui.module.css';
import { JoinPage } from './join.tsx';
import { LeaderboardPage } from './leaderboard.tsx';
import { LobbyPage } from './lobby.tsx';
import { OpenPage } from './open.tsx';
import { TablePage } from './table.tsx';
import { OpenLinkPage } from '../links/open-link.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { TokenForm } from './token-form.tsx';

/** The pages and their addresses. Everything under /t/ and /console/ is served as this page. */
export function App() {
  const [address] = useLocation();
  return (
    <TokensProvider>
      <a className={styles['skip']} href="#content" onClick={skipToContent}>
        {en.app.skip}
      </a>
      <Header />
      <main id="content" tabIndex={-1}>
        <ErrorBoundary key={address}>
          <Suspense fallback={<p role="status">{en.table.loading}</p>}>
            <Switch>
              <Route path="/">
                <ForOperators page={LobbyPage} />
              </Route>
              <Route path="/console/open">
                <ForOperators page={OpenPage} />
              </Route>
              <Route path="/console/leaderboard">
                <ForOperators page={LeaderboardPage} />
              </Route>
              <Route path="/console/record">
                <RecordPage />
              </Route>
              <Route path="/console/demo">
                <DemoPage />
              </Route>
              <Route path="/console/operate">
                <ForOperators page={Operate} />
              </Route>
              <Route path="/j">
                <OpenLinkPage />
              </Route>
              <Route path="/t/:table/inside">{({ table }) => <AboutTable key={table} table={table} page={Inside} />}</Route>
              <Route path="/t/:table/story">{({ table }) => <AboutTable key={table} table={table} page={TableStory} />}</Route>
              <Route path="/t/:table/invite">{({ table }) => <InvitePage table={table} />}</Route>
              <Route path="/t/:table/join">{({ table }) => <JoinPage table={table} />}</Route>
              <Route path="/t/:table">{({ table }) => <TablePage key={table} table={table} />}</Route>
              <Route>
                <div className={styles['problem']}>
                  <h1>{en.problem.notFound}</h1>
                  <HomeLink />
                </div>
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </main>
    </TokensProvider>
  );
}

/** The fragment of an address is for tokens, so the browser's own jump is not used. */
function skipToContent(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function Header() {
  const { forgetAll } = useTokens();
  const { mayOperate } = useOperator();
  const brand = (
    <>
      <Moon />
      {en.app.name}
    </>
  );
  return (
    <header className={styles['header']}>
      {mayOperate ? (
        <Link href="/" className={styles['brand']}>
          {brand}
        </Link>
      ) : (
        <span className={styles['brand']}>{brand}</span>
      )}
      <nav className={styles['nav']} aria-label={en.app.name}>
        {mayOperate && (
          <>
            <Link href="/">{en.app.lobby}</Link>
            <Link href="/console/open">{en.app.open}</Link>
            <Link href="/console/leaderboard">{en.app.leaderboard}</Link>
            <Link href="/console/operate">{en.app.operate}</Link>
          </>
        )}
        <button type="button" className={styles['quiet']} onClick={forgetAll}>
          {en.app.signOut}
        </button>
      </nav>
    </header>
  );
}

const Moon = () => (
  <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <circle cx="16" cy="16" r="15" className={styles['sky']} />
    <path d="M21 5a11.5 11.5 0 1 0 6 16A10 10 0 0 1 21 5z" className={styles['moon']} />
    <path d="M7 27l4-9 3 4 3-5 3 5 3-4 3 9z" className={styles['wood']} />
  </svg>
);

// Loaded when they are wanted: most visitors play or watch.
const DemoPage = lazy(async () => ({ default: (await import('./recording.tsx')).DemoPage }));
const RecordPage = lazy(async () => ({ default: (await import('./record.tsx')).RecordPage }));
const Inside = lazy(async () => ({ default: (await import('../inside/inside.tsx')).Inside }));
const TableStory = lazy(async () => ({ default: (await import('../story/table-story.tsx')).TableStory }));
const Operate = lazy(async () => ({ default: (await import('../operate/operate.tsx')).Operate }));

interface AboutTableProps {
  readonly table: string;
  readonly page: typeof Inside | typeof TableStory;
}

/** What can be told of one table besides the game itself: its minds, its story. */
function AboutTable({ table, page: Page }: AboutTableProps) {
  const { client, me, problem, reload } = useVisitor(table);
  if (problem?.status === 401) return <TokenForm table={table} problem={problem} />;
  if (problem) return <ProblemNote problem={problem} retry={reload} />;
  if (!me) return <p role="status">{en.table.loading}</p>;
  return <Page {...{ client, me, table }} />;
}

const InvitePage = lazy(async () => ({ default: (await import('./invite.tsx')).InvitePage }));
/** A page about more than one table, for those who may see it. */
function ForOperators({ page: Page }: { readonly page: ComponentType<{ readonly client: ApiClient }> }) {
  const { client, me, problem, reload, mayOperate } = useOperator();
  if (problem && problem.status !== 401) return <ProblemNote problem={problem} retry={reload} />;
  if (mayOperate) return <Page client={client} />;
  if (!me && !problem) return null;
  return (
    <>
      {me && <p role="status">{en.operate.forAdmins}</p>}
      <TokenForm problem={problem} />
    </>
  );
}
