import { Link, Route, Switch, useLocation } from 'wouter';
import { en } from '../text/en.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { TokensProvider, useTokens, useVisitor } from '../ui/visitor.tsx';
import styles from '../ui/ui.module.css';
import { InvitePage } from './invite.tsx';
import { JoinPage } from './join.tsx';
import { LeaderboardPage } from './leaderboard.tsx';
import { LobbyPage } from './lobby.tsx';
import { OpenPage } from './open.tsx';
import { TablePage } from './table.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { TokenForm } from './token-form.tsx';
import { lazy, Suspense } from 'react';

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
                <LobbyPage />
              </Route>
              <Route path="/console/open">
                <OpenPage />
              </Route>
              <Route path="/console/leaderboard">
                <LeaderboardPage />
              </Route>
              <Route path="/console/record">
                <RecordPage />
              </Route>
              <Route path="/console/demo">
                <DemoPage />
              </Route>
              <Route path="/console/operate">
                <OperatePage />
              </Route>
              <Route path="/t/:table/inside">{({ table }) => <AboutTable key={table} table={table} page={Inside} />}</Route>
              <Route path="/t/:table/story">{({ table }) => <AboutTable key={table} table={table} page={TableStory} />}</Route>
              <Route path="/t/:table/invite">{({ table }) => <InvitePage table={table} />}</Route>
              <Route path="/t/:table/join">{({ table }) => <JoinPage table={table} />}</Route>
              <Route path="/t/:table">{({ table }) => <TablePage key={table} table={table} />}</Route>
              <Route>
                <div className={styles['problem']}>
                  <h1>{en.problem.notFound}</h1>
                  <Link href="/">{en.problem.home}</Link>
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
  return (
    <header className={styles['header']}>
      <Link href="/" className={styles['brand']}>
        <Moon />
        {en.app.name}
      </Link>
      <nav className={styles['nav']} aria-label={en.app.name}>
        <Link href="/">{en.app.lobby}</Link>
        <Link href="/console/open">{en.app.open}</Link>
        <Link href="/console/leaderboard">{en.app.leaderboard}</Link>
        <Link href="/console/operate">{en.app.operate}</Link>
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

/** What administrators do with tables, contests, models and tokens. */
function OperatePage() {
  const { client, me, problem, reload } = useVisitor();
  if (problem && problem.status !== 401) return <ProblemNote problem={problem} retry={reload} />;
  if (me && (me.role === 'admin' || me.isOpen)) return <Operate client={client} />;
  if (!me && !problem) return null;
  return (
    <>
      <p role="status">{en.operate.forAdmins}</p>
      <TokenForm problem={problem} />
    </>
  );
}
