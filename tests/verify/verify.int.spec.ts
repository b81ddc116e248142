import { afterAll, it } from '@jest/globals';
import { postgresSql } from '@maw/store/postgres.ts';
import { databaseUrl, testDatabase } from '@maw/store/test-database.suite.ts';
import { verifySuite } from './verify.suite.ts';

// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
if (!databaseUrl) it.skip('verifying on PostgreSQL: skipped, because DATABASE_URL is not set', () => undefined);
else {
  const databases: Awaited<ReturnType<typeof testDatabase>>[] = [];
  afterAll(() => Promise.all(databases.map((each) => each.close())));

  verifySuite('on PostgreSQL', async () => {
    const database = await testDatabase();
    databases.push(database);
    return postgresSql({ url: database.url, poolSize: 1 });
  });
}
