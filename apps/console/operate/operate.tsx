import { useSearchParams } from 'wouter';
import type { ApiClient } from '@maw/api-client/client.ts';
import { en, named } from '../text/en.ts';
import { AuditPage } from './audit.tsx';
import { ContestsPage } from './contests/contests.tsx';
import { ModelsPage } from './models.tsx';
import { TablesPage } from './tables.tsx';
import { TokensPage } from './tokens.tsx';
import styles from './operate.module.css';

const PAGES = { tables: TablesPage, contests: ContestsPage, models: ModelsPage, tokens: TokensPage, audit: AuditPage };
const isPage = (name: string | null): name is keyof typeof PAGES => name !== null && Object.hasOwn(PAGES, name);

/** What administrators do. The part that is shown stands in the address. */
export function Operate({ client }: { readonly client: ApiClient }) {
  const [params, setParams] = useSearchParams();
  const given = params.get('show');
  const shown = isPage(given) ? given : 'tables';
  const Page = PAGES[shown];
  return (
    <div className={styles['page']}>
      <h1>{en.operate.title}</h1>
      <nav className={styles['tabs']} aria-label={en.operate.title}>
        {Object.keys(PAGES).map((each) => (
          <button key={each} type="button" aria-current={each === shown ? 'page' : undefined} onClick={() => setParams({ show: each })}>
            {named(en.operate.tabs, each)}
          </button>
        ))}
      </nav>
      <Page client={client} />
    </div>
  );
}
